import Loading
import MockHTTP
import RehearsalBase
import Script
import Timelines

/// The candidates for the end of an unfinished command: members, words, values, and the paths of files and routes.
package struct Completion: Equatable {
  /// Number of characters at the end of the text that a candidate replaces.
  package var replacing: Int
  /// The first candidates, at most as many as a reader can use.
  package var candidates: [Candidate]
  /// Number of candidates that are not listed.
  package var moreCount = 0
  /// The longest common prefix of all candidates, including those that are not listed.
  package var common = ""

  package struct Candidate: Equatable {
    package var text: String
    /// A short description of the candidate; may be empty.
    package var description: String
  }
}

extension Session {
  /// Returns the candidates for the end of a text.
  package func completion(of text: String) -> Completion {
    let place = CompletionPlace(in: text)
    var found = FoundCandidates(beginningWith: place.typed)
    let path = CompletionPlace(ofPathIn: text)
    if path.start < place.start, expectsFile(at: path) {
      addFiles(to: &found, at: path)
      return found.completion(replacing: path.typed.count)
    }
    for expectation in Script.expectations(at: place.start, in: text, table: commands.table) {
      gather(expectation, at: place, into: &found)
    }
    return found.completion(replacing: place.typed.count)
  }

  func gather(
    _ expectation: Acceptable,
    at place: CompletionPlace,
    into found: inout FoundCandidates
  ) {
    switch expectation {
    case .keyword(let word):
      guard isTaken(word, at: place) else { return }
      found.add(word) {
        WordMeanings.meaning(
          of: word,
          in: place.verb.flatMap(commands.table.definition),
          behind: place.previous
        )
      }
    case .described(let word, let summary): found.add(word) { summary }
    case .verb:
      for command in commands.table.available { found.add(command.verb) { command.summary } }
    case .laterVerb:
      for command in commands.table.available where command.canBeScheduled {
        found.add(command.verb) { command.summary }
      }
    case .valueSource: add(to: &found) { $0 is any ValueSource }
    case .member:
      let action = place.previous.flatMap(commands.table.definition)?.action
      add(to: &found) { member in action.map { member.actions.contains($0) } ?? true }
    case .loadable: add(to: &found) { $0.sort == .loadable || $0.sort == .customSource }
    case .process: add(to: &found) { $0.sort == .process }
    case .input: add(to: &found) { $0.sort == .input }
    case .file: addFiles(to: &found, at: place)
    case .kind, .policy, .type, .topic, .scene, .target, .endpoint:
      for candidate in namedCandidates(for: expectation, at: place) {
        found.add(candidate.text) { candidate.description }
      }
    case .sample("a duration", _):
      let number = place.typed.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      for unit in WordMeanings.units where !number.isEmpty {
        found.add(number + unit.name) { unit.meaning }
      }
    case .sample: break
    }
  }

  /// Adds the members of a kind. There may be thousands, so each costs no more than its name.
  private func add(to found: inout FoundCandidates, where isWanted: (any Member) -> Bool) {
    for member in members.all where found.fits(member.name) && isWanted(member) {
      found.add(member.name) { member.word + ", " + member.stateText }
    }
  }

  private func namedCandidates(
    for expectation: Acceptable,
    at place: CompletionPlace
  ) -> [Completion.Candidate] {
    switch expectation {
    case .kind:
      place.words.dropFirst().first.flatMap { members[$0] }.map { member in
        member.kinds.map { .init(text: $0, description: "a kind of this process") }
      } ?? []
    case .policy:
      LoadingPolicy.all.map { .init(text: $0.name, description: HelpTopic.explanation(of: $0)) }
    case .type:
      ValueType.basic.map {
        .init(text: $0.name, description: WordMeanings.meaning(ofType: $0.name))
      } + members.shapes.map { .init(text: $0.name, description: "a shape of this session") }
    case .topic:
      HelpText.topics(with: commands.available).map {
        .init(text: $0, description: summary(ofTopic: $0))
      }
    case .scene: scenes.catalog.map { .init(text: $0.name, description: $0.summary) }
    case .target: targets
    case .endpoint:
      httpIfUsed?.endpoints.map { .init(text: $0.name, description: $0.spec.text) } ?? []
    default: []
    }
  }

  private func summary(ofTopic name: String) -> String {
    if let command = commands.available.first(where: { $0.definition.verb == name }) {
      return command.definition.summary
    }
    return HelpTopic.all.first { $0.name == name }?.summary
      ?? PipeWords.stages.first { $0.word == name }?.summary
      ?? PipeWords.sources.first { $0.word == name }?.summary ?? ""
  }

  /// Whether the member before the word accepts it in this command; true if there is no member
  /// before it.
  private func isTaken(_ word: String, at place: CompletionPlace) -> Bool {
    let negations = [StatePattern.negation, StatePattern.difference]
    let words =
      negations.contains(place.previous ?? "") ? place.words.dropLast() : place.words[...]
    guard let action = words.dropLast().last.flatMap(commands.table.definition)?.action,
      let name = words.last, let member = members[name]
    else { return true }
    return member.takes(word, in: action)
  }

  /// The paths of the routes, each up to its first parameter.
  private var targets: [Completion.Candidate] {
    (httpIfUsed?.server.routes ?? []).map { route in
      let path = route.route.pattern.path.text
      return .init(text: String(path.prefix { $0 != "{" }), description: "a route")
    }
  }

  private func expectsFile(at place: CompletionPlace) -> Bool {
    Script.expectations(at: place.start, in: place.text, table: commands.table).contains(.file)
  }

  /// Adds the files whose paths begin as typed, in quotes if one of them needs quotes.
  private func addFiles(to found: inout FoundCandidates, at place: CompletionPlace) {
    let (typed, isQuoted) = place.path
    let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let paths = files.entries(in: folder).filter { $0.first != "." }.map { folder + $0 }
      .filter { $0.utf8.starts(with: typed.utf8) }
    let takesQuotes = isQuoted || paths.contains { $0.utf8.contains { $0 <= 0x20 } }
    for path in paths {
      found.addFitting(takesQuotes ? Self.quoted(path) : path) { "" }
    }
  }

  /// Returns a path as a text. The quote of a folder stays open, so that the path can continue.
  private static func quoted(_ path: String) -> String {
    let text = JSONValue.string(path).text
    return path.hasSuffix("/") ? String(text.dropLast()) : text
  }
}

/// The last word of a text, which may be empty, and the text before it.
struct CompletionPlace {
  let text: String
  /// The byte offset of the word.
  let start: Int
  let typed: String
  /// The words before it, split at blanks.
  let words: [String]

  init(in text: String) {
    let bytes = Array(text.utf8)
    var start = bytes.count
    while start > 0, bytes[start - 1].isWordByte || bytes[start - 1] == UInt8(ascii: "/") {
      start -= 1
    }
    self.init(in: text, from: start)
  }

  /// Finds the word that may be a path: the text after an open quotation mark, or after the last
  /// blank.
  init(ofPathIn text: String) {
    var (start, opening): (Int, Int?) = (0, nil)
    var isEscaped = false
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "\"") where !isEscaped:
        if opening != nil { opening = nil } else if index == start { opening = index }
      case ...0x20 where opening == nil: start = index + 1
      default: break
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    self.init(in: text, from: start)
  }

  private init(in text: String, from start: Int) {
    let bytes = Array(text.utf8)
    self.text = text
    self.start = start
    typed = String(decoding: bytes[start...], as: UTF8.self)
    words = bytes[..<start].split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The word as a path, and whether it begins with a quotation mark.
  var path: (text: String, isQuoted: Bool) {
    guard typed.utf8.first == UInt8(ascii: "\"") else { return (typed, false) }
    var text = ""
    var isEscaped = false
    for scalar in typed.unicodeScalars.dropFirst() {
      isEscaped = scalar == "\\" && !isEscaped
      if !isEscaped { text.unicodeScalars.append(scalar) }
    }
    return (text, true)
  }

  /// The text before the word.
  var before: String { String(decoding: text.utf8.prefix(start), as: UTF8.self) }
  /// Whether the word begins at the start of the text or after a blank.
  var isWord: Bool { text.utf8.prefix(start).last.map { $0 <= 0x20 } ?? true }
  var verb: String? { words.first }
  var previous: String? { words.last }
  /// Whether the caret is at the start of the text or after a blank.
  var isFresh: Bool { typed.isEmpty && (text.utf8.last.map { $0 <= 0x20 } ?? true) }
}

/// A collector of candidates. Only the first have descriptions.
struct FoundCandidates {
  /// Maximum number of kept candidates; more than a screen shows.
  static let mostKept = 200

  private let typed: String
  private var candidates: [Completion.Candidate] = []
  private var names: Set<String> = []
  private var moreCount = 0
  private var common: Substring.UTF8View?

  init(beginningWith typed: String) {
    self.typed = typed
  }

  func fits(_ text: String) -> Bool { text.utf8.starts(with: typed.utf8) }

  /// Adds a candidate if it fits and is new. If more than the maximum were found, duplicates are
  /// not removed.
  mutating func add(_ text: String, _ description: () -> String) {
    if fits(text) { addFitting(text, description) }
  }

  /// Adds a candidate that fits the typed text but does not begin with it.
  mutating func addFitting(_ text: String, _ description: () -> String) {
    narrow(by: text)
    guard candidates.count < Self.mostKept else {
      moreCount += 1
      return
    }
    guard names.insert(text).inserted else { return }
    candidates.append(.init(text: text, description: description()))
  }

  private mutating func narrow(by text: String) {
    guard let common else {
      self.common = text[...].utf8
      return
    }
    if text.utf8.starts(with: common) { return }
    let length = zip(common, text.utf8).prefix { $0 == $1 }.count
    self.common = common.prefix(length)
  }

  func completion(replacing count: Int) -> Completion {
    Completion(
      replacing: count,
      candidates: candidates,
      moreCount: moreCount,
      common: String(common.flatMap { Substring($0) } ?? "")
    )
  }
}
