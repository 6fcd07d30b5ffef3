import Script

extension Session {
  /// What is expected where a `?` is typed behind a text, line by line; nil where a `?` is text: in
  /// quotes, JSON, comments, types, paths and addresses.
  package func explanation(of text: String) -> [String]? {
    guard !Script.endsInComment(text) else { return nil }
    let place = CompletionPlace(in: text)
    let expectations = Script.expectations(at: place.start, in: text, table: table)
    if expectations.contains(.keyword("?")) { return nil }
    guard !expectations.isEmpty else { return isWhole(place) ? ["nothing more is expected"] : nil }
    if !place.typed.isEmpty, expectations.contains(where: \.takesQuestionMark) { return nil }
    guard place.isFresh || !place.typed.isEmpty else { return nil }
    let items = ExplainedItem.once(expectations.flatMap { explained($0, at: place) })
    return items.isEmpty ? nil : ExplainedItem.lines(items, width: width - 2)
  }

  /// The same for a command that ends in a `?` of its own, as in a transcript.
  func explanation(askedIn text: String) -> [String]? {
    let text = text.reversed().drop { $0 == " " }
    guard text.first == "?" else { return nil }
    let before = text.dropFirst()
    guard before.first.map({ $0 == " " }) ?? true else { return nil }
    return explanation(of: String(before.reversed()))
  }

  private func isWhole(_ place: CompletionPlace) -> Bool {
    guard place.isFresh, let reading = try? Script.read(place.text, table: table) else {
      return false
    }
    if case .command = reading { return true }
    return false
  }

  private func explained(_ expectation: Acceptable, at place: CompletionPlace) -> [ExplainedItem] {
    switch expectation {
    case .verb where place.typed.isEmpty: return verbsByTopic { _ in true }
    case .laterVerb where place.typed.isEmpty: return verbsByTopic(where: \.canBeScheduled)
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
    let commands = table.available.filter(isWanted)
    return CommandDefinition.Topic.allCases.compactMap { topic in
      let verbs = commands.filter { $0.topic == topic }.map(\.verb)
      return verbs.isEmpty
        ? nil : ExplainedItem(topic.rawValue, verbs.joined(separator: ", "))
    }
  }
}

/// Something that is expected, and what it means.
private struct ExplainedItem {
  let word: String
  let meaning: String

  init(_ word: String, _ meaning: String) {
    self.word = word
    self.meaning = meaning
  }

  /// The first of each word.
  static func once(_ items: [ExplainedItem]) -> [ExplainedItem] {
    var words: Set<String> = []
    return items.filter { words.insert($0.word).inserted }
  }

  /// How many names of one sort are listed.
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
  /// Whether a `?` at the end of such a word belongs to it.
  fileprivate var takesQuestionMark: Bool {
    switch self {
    case .type, .target: true
    default: false
    }
  }

  /// What to say where no name of this sort exists yet.
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
