import RehearsalBase
import Script

/// Answers a `?`: lists the possible continuations of a text, with meanings, or the mistake in it.
extension Session {
  /// Returns what is expected after a text when the user types `?`, line by line, or the mistake in
  /// the text; nil if the `?` is text: in quotes, JSON, comments, types, paths and addresses.
  package func explanation(of text: String, width: Int) -> [String]? {
    do throws(Diagnostic) {
      return try expectedItems(behind: text).map { ExplainedItem.lines($0, width: width) }
    } catch {
      let hint = (error.hint ?? error.problem.usualHint).map { "; " + $0 } ?? ""
      return HelpText.wrapped(error.problem.sentence + hint, indent: 0, width: width)
    }
  }

  /// Returns the explanation for a command that ends in `?`, as in a transcript; nil for another
  /// command.
  ///
  /// - Throws: a diagnostic for a mistake before the `?`.
  func explanation(askedIn text: String) throws(Diagnostic) -> [String]? {
    let text = text.reversed().drop { $0 == " " }
    guard text.first == "?" else { return nil }
    let before = text.dropFirst()
    guard before.first.map({ $0 == " " }) ?? true else { return nil }
    return try expectedItems(behind: String(before.reversed()))
      .map { ExplainedItem.lines($0, width: options.width - 2) }
  }

  private func expectedItems(behind text: String) throws(Diagnostic) -> [ExplainedItem]? {
    guard !Script.endsInComment(text) else { return nil }
    let place = CompletionPlace(in: text)
    if place.isWord, let mistake = mistake(in: place.before) { throw mistake }
    let expectations = Script.expectations(at: place.start, in: text, table: commands.table)
    if expectations.contains(.keyword("?")) { return nil }
    if expectations.isEmpty, place.isFresh {
      return isWhole(text) ? [ExplainedItem("nothing more is expected", "")] : nil
    }
    if !place.typed.isEmpty, expectations.contains(where: \.takesQuestionMark) { return nil }
    guard place.isFresh || !place.typed.isEmpty else { return nil }
    let items = ExplainedItem.once(expectations.flatMap { explained($0, at: place) })
    if items.isEmpty, let mistake = mistake(at: place, expectations) { throw mistake }
    return items.isEmpty ? nil : items
  }

  private func isWhole(_ text: String) -> Bool {
    if case .success(.command) = read(text) { true } else { false }
  }

  /// Returns the mistake in a text that ends in whole words, if there certainly is one. A `?` in an
  /// invalid value may be part of the value.
  private func mistake(in text: String) -> Diagnostic? {
    if case .failure(let diagnostic) = read(text) {
      switch diagnostic.problem {
      case .expected(_, found: nil), .malformedValue, .malformedTarget: break
      default: return naming(diagnostic, in: text)
      }
    }
    let bytes = Array(text.utf8)
    let names = Script.marks(in: text, table: commands.table).filter { $0.role == .member }
    return names.lazy.compactMap { mark in
      let name = String(decoding: bytes[mark.range], as: UTF8.self)
      return self.mistake(inName: Located(name, at: mark.range), of: text)
    }.first
  }

  private func mistake(inName name: Located<String>, of text: String) -> Diagnostic? {
    let outer = execution.text
    execution.text = text
    defer { execution.text = outer }
    let isSet = CommandText.definition(of: text) === ShellCommand.set.definition
    let options = isSet ? SessionOption.all.map(\.name) : []
    do throws(Diagnostic) {
      _ = try member(name, or: options)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the mistake for a word that is not a prefix of any expected word.
  private func mistake(at place: CompletionPlace, _ expectations: [Acceptable]) -> Diagnostic? {
    guard place.isWord else { return nil }
    let word = Located(place.typed, at: place.start..<place.text.utf8.count)
    if expectations.contains(where: \.isMember), let mistake = mistake(inName: word, of: place.text)
    {
      return mistake
    }
    switch read(place.text) {
    case .failure(let diagnostic) where diagnostic.span.lowerBound == place.start:
      if case .malformedValue = diagnostic.problem { return nil }
      return naming(diagnostic, in: place.text)
    case .failure, .success(.unfinished): return nil
    case .success:
      let before = CompletionPlace(in: place.before)
      let words = expectations.flatMap { candidates(for: $0, at: before).map(\.word) }
      return Diagnostic(
        .unexpected(place.typed.printable(atMost: 30)),
        at: word.span,
        hint: Suggestion.hint(for: place.typed, in: words)
      )
    }
  }

  private func explained(_ expectation: Acceptable, at place: CompletionPlace) -> [ExplainedItem] {
    switch expectation {
    case .verb where place.typed.isEmpty: return verbsByTopic { _ in true }
    case .laterVerb where place.typed.isEmpty: return verbsByTopic(where: \.canBeScheduled)
    // The expectations next to them explain these.
    case .sample("a file's name", _), .sample("a path or an address", _): return []
    case .sample(let what, let example):
      return [ExplainedItem(example, what)]
    case .file: return [ExplainedItem("FILE", "a file's name; Tab lists them")]
    case .target: return [ExplainedItem("TARGET", "a path, or the URL of a server")]
    default: return candidates(for: expectation, at: place)
    }
  }

  private func candidates(
    for expectation: Acceptable,
    at place: CompletionPlace
  ) -> [ExplainedItem] {
    var found = FoundCandidates(beginningWith: place.typed)
    gather(expectation, at: place, into: &found)
    let completion = found.completion(replacing: 0)
    let shown = completion.candidates.prefix(ExplainedItem.mostNames)
    let rest = completion.candidates.count + completion.moreCount - shown.count
    let items = shown.map { ExplainedItem($0.text, $0.description) }
    if items.isEmpty, place.typed.isEmpty, let none = expectation.whenThereIsNone {
      return [ExplainedItem("NAME", none)]
    }
    return rest > 0 ? items + [ExplainedItem("…", "and \(rest) more")] : items
  }

  private func verbsByTopic(where isWanted: (CommandDefinition) -> Bool) -> [ExplainedItem] {
    let available = commands.table.available.filter(isWanted)
    return CommandDefinition.Topic.allCases.compactMap { topic in
      let verbs = available.filter { $0.topic == topic }.map(\.verb)
      return verbs.isEmpty
        ? nil : ExplainedItem(topic.rawValue, verbs.joined(separator: ", "))
    }
  }
}

/// An expected word or value, with its meaning.
private struct ExplainedItem {
  let word: String
  let meaning: String

  init(_ word: String, _ meaning: String) {
    self.word = word
    self.meaning = meaning
  }

  /// Removes items whose word is already in the list.
  static func once(_ items: [ExplainedItem]) -> [ExplainedItem] {
    var words: Set<String> = []
    return items.filter { words.insert($0.word).inserted }
  }

  /// Maximum number of names that are listed for one kind.
  static let mostNames = 20

  static func lines(_ items: [ExplainedItem], width: Int) -> [String] {
    let widest = items.map(\.word.widthInColumns).max() ?? 0
    let column = min(widest, max(8, width / 3)) + 2
    return items.flatMap { $0.lines(column: column, width: width) }
  }

  private func lines(column: Int, width: Int) -> [String] {
    if meaning.isEmpty { return [word] }
    let lines = HelpText.wrapped(meaning, indent: column, width: width)
    let padding = column - word.widthInColumns
    guard padding > 0 else { return [word] + lines }
    return [word + String(repeating: " ", count: padding) + (lines.first ?? "").dropFirst(column)]
      + lines.dropFirst()
  }
}

extension Acceptable {
  /// Whether a `?` at the end of such a word is part of the word.
  fileprivate var takesQuestionMark: Bool {
    switch self {
    case .type, .target: true
    default: false
    }
  }

  /// The explanation if no name of this kind exists yet.
  fileprivate var whenThereIsNone: String? {
    switch self {
    case .member: "a member; there is none"
    case .loadable: "a loadable; there is none, 'loadable NAME' makes one"
    case .process: "a process; there is none, 'process NAME' makes one"
    case .input: "an input; there is none, 'input NAME' makes one"
    case .endpoint: "an endpoint; there is none, 'endpoint NAME TARGET' makes one"
    case .scene: "a scene; this program has none"
    default: nil
    }
  }
}
