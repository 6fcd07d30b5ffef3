/// The changed words in the lines of a difference, which reports and reviews mark.
struct ChangedWords {
  struct Part: Equatable {
    var text: String
    var isChanged: Bool
  }

  /// Length in bytes above which the words of a line are not compared.
  private static let limitInBytes = 1_000

  /// A list of parts for each line.
  let lines: [[Part]]

  init(_ diff: [TranscriptFailure.DiffLine]) {
    var lines = diff.map { [Part(text: $0.text, isChanged: false)] }
    var removed: [Int] = []
    var added: [Int] = []
    func mark() {
      for (one, other) in zip(removed, added) {
        guard let (before, after) = Self.compare(diff[one].text, diff[other].text) else { continue }
        (lines[one], lines[other]) = (before, after)
      }
      (removed, added) = ([], [])
    }
    for (index, line) in diff.enumerated() {
      switch line.mark {
      case .same: mark()
      case .expected:
        if !added.isEmpty { mark() }
        removed.append(index)
      case .actual: added.append(index)
      }
    }
    mark()
    self.lines = lines
  }

  /// Divides both lines into parts; nil if they have no word in common.
  private static func compare(_ old: String, _ new: String) -> ([Part], [Part])? {
    guard old.utf8.count <= limitInBytes, new.utf8.count <= limitInBytes else { return nil }
    let (before, after) = (words(old), words(new))
    let expectation = Expectation(literal: before.map { Array($0.utf8) })
    let alignment = Alignment(expectation, after.map { Array($0.utf8) }, [:])
    var (parts, others): ([Part], [Part]) = ([], [])
    var hasCommonWord = false
    for step in alignment.steps {
      switch step {
      case .keep(let index, _):
        add(before[index], false, to: &parts)
        add(before[index], false, to: &others)
        hasCommonWord = hasCommonWord || before[index].contains { !$0.isWhitespace }
      case .remove(let index): add(before[index], true, to: &parts)
      case .insert(let index): add(after[index], true, to: &others)
      case .keepAnyLines, .taken: break
      }
    }
    return hasCommonWord ? (parts, others) : nil
  }

  private static func add(_ word: Substring, _ isChanged: Bool, to parts: inout [Part]) {
    if let last = parts.indices.last, parts[last].isChanged == isChanged {
      parts[last].text += word
    } else {
      parts.append(Part(text: String(word), isChanged: isChanged))
    }
  }

  /// Splits a line into words, runs of spaces, and single other characters.
  private static func words(_ line: String) -> [Substring] {
    var words: [Substring] = []
    var rest = line[...]
    while let first = rest.first {
      var word = rest.prefix(1)
      if first.isPartOfWord {
        word = rest.prefix { $0.isPartOfWord }
      } else if first == " " {
        word = rest.prefix { $0 == " " }
      }
      words.append(word)
      rest = rest[word.endIndex...]
    }
    return words
  }
}

extension Character {
  fileprivate var isPartOfWord: Bool { isLetter || isNumber || self == "_" || self == "." }
}
