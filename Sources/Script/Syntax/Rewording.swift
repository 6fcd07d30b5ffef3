import RehearsalBase

/// Finds the command that a text in another tool's words means: tries changes until the parser accepts the text.
///
/// It changes the text at the place of its error, in small steps: it replaces, removes, adds or moves a word. It proposes only a
/// text that the parser reads completely.
package struct Rewording {
  private let table: CommandTable
  /// A member's name for commands without one.
  private let name: String?
  private let impossiblePlace: (ParsedCommand) -> Int?

  /// Finds commands of `table` for which `impossiblePlace` returns nil. It returns the byte of a part that the session cannot
  /// perform, for example of the name of an unknown member. If a command names no member, `name` is proposed.
  package init(
    table: CommandTable,
    name: String? = nil,
    impossiblePlace: @escaping (ParsedCommand) -> Int?
  ) {
    self.table = table
    self.name = name
    self.impossiblePlace = impossiblePlace
  }

  /// Whether other tools use a word, with another meaning or with none.
  package static func isOfOtherTools(_ word: String) -> Bool {
    Suggestion.isOtherWord(word) || WordChanges.isFiller(word) || WordChanges.isSign(word)
  }

  private static let longestText = 200
  private static let mostWords = 24
  private static let mostReadings = 150
  private static let highestCost = 6

  /// Returns the possible command with the fewest changes; nil if none was found. `place` is the byte of the error.
  package func meant(by text: String, errorAt place: Int) -> String? {
    guard text.utf8.count <= Self.longestText, let words = Words(text), !words.list.isEmpty,
      words.list.count <= Self.mostWords, text.contains(where: \.isLetter)
    else { return nil }
    let start = words.index(ofByte: place, in: text)
    var seen: Set<[String]> = [words.list]
    var waiting: [[[String]]] = [[words.list]]
    waiting += Array(repeating: [], count: Self.highestCost)
    let plain = words.withoutCalls ?? words.list
    let variants = [plain, WordChanges.withDurations(plain)] + WordChanges.divided(plain)
    for variant in variants where seen.insert(variant).inserted { waiting[1].append(variant) }
    let clauses = table.definition(of: words.list[0])?.clauseWords ?? []
    var readings = 0
    for cost in waiting.indices {
      var next = 0
      while next < waiting[cost].count {
        let list = waiting[cost][next]
        next += 1
        readings += 1
        guard readings <= Self.mostReadings else { return nil }
        switch cost == 0 ? .error(at: start, isAtEnd: start == list.count) : reading(of: list) {
        case .command(let text): return text
        case .error(let place, let isAtEnd):
          var changes = WordChanges(
            list,
            errorAt: place,
            isAtEnd: isAtEnd,
            table: table,
            name: name
          ).all
          let isBeforeClause = !isAtEnd && clauses.contains(list[place])
          if cost > 0 && isAtEnd || isBeforeClause, let sample = sample(before: place, in: list) {
            changes.append((list[..<place] + [sample] + list[place...], 3))
          }
          for change in changes
          where cost + change.cost <= Self.highestCost && seen.insert(change.words).inserted {
            waiting[cost + change.cost].append(change.words)
          }
        case .hopeless: break
        }
      }
    }
    return nil
  }

  private enum Reading {
    case command(String)
    /// The index of the word with the error.
    case error(at: Int, isAtEnd: Bool)
    case hopeless
  }

  private func reading(of words: [String]) -> Reading {
    let text = Words.joined(words)
    var parser = Parser(text, table: table)
    let place: Int
    do throws(Diagnostic) {
      guard let impossible = impossiblePlace(try parser.command()) else { return .command(text) }
      place = impossible
    } catch {
      if error.problem.isUnfinished { return .hopeless }
      place = error.span.lowerBound
    }
    let index = Words.index(ofByte: place, in: words)
    return .error(at: index, isAtEnd: index == words.count)
  }

  /// Returns the parser's example for what is missing before a word.
  private func sample(before place: Int, in words: [String]) -> String? {
    let start = Words.joined(Array(words[..<place])).utf8.count
    return Self.samples(at: start + 1, in: Words.joined(words) + " ", table: table).first
  }

  private static func samples(at place: Int, in text: String, table: CommandTable) -> [String] {
    Script.expectations(at: place, in: text, table: table).compactMap { expectation in
      if case .sample(_, let example) = expectation { example } else { nil }
    }
  }

  /// Returns a complete command that begins with an incomplete one, with examples of the missing parts: those of the parser,
  /// names of members by `name`, and a state; nil if it has no example.
  package static func example(
    completing text: String,
    table: CommandTable,
    name: (Acceptable) -> String?
  ) -> String? {
    var text = text
    while text.hasSuffix(" ") { text.removeLast() }
    guard !text.hasSuffix(":"), text.utf8.count <= longestText,
      !WordChanges.isErrorAlone(Words(text)?.list ?? [], at: 2, in: table)
    else { return nil }
    for count in 0...3 {
      var parser = Parser(text, table: table)
      guard (try? parser.command()) == nil else { return count == 0 ? nil : text }
      let place = text.utf8.count + 1
      let next = Script.expectations(at: place, in: text + " ", table: table)
      let state = next.contains(.keyword("loaded")) ? "loaded" : nil
      guard
        let sample = next.lazy.compactMap(name).first ?? state
          ?? samples(at: place, in: text + " ", table: table).first
      else { return nil }
      text += " " + sample
    }
    return nil
  }
}
