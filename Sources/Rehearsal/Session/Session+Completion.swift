import Loading
import MockHTTP
import RehearsalBase
import Script
import Timelines

/// What may come next at the end of a half-typed command.
package struct Completion: Equatable {
  /// How many characters of the text the candidates replace.
  package var replacing: Int
  /// The first of them; no more than are of use to a reader.
  package var candidates: [Candidate]
  /// How many there are beyond those.
  package var moreCount = 0
  /// The beginning that all of them share, those beyond as well.
  package var common = ""

  package struct Candidate: Equatable {
    package var text: String
    /// What it is, in a few words; may be empty.
    package var description: String
  }
}

extension Session {
  /// What could stand where the text ends.
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

  /// Adds the members of a sort. There may be thousands, so each costs no more than its name.
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
      } + members.shapes.map { .init(text: $0.name, description: "a shape of yours") }
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

  /// Whether a word suits the member that a command names just before it.
  private func isTaken(_ word: String, at place: CompletionPlace) -> Bool {
    let words = place.previous == StatePattern.negation ? place.words.dropLast() : place.words[...]
    guard let action = words.dropLast().last.flatMap(commands.table.definition)?.action,
      let name = words.last, let member = members[name]
    else { return true }
    return member.takes(word, in: action)
  }

  /// The paths of the routes, each as far as it is literal.
  private var targets: [Completion.Candidate] {
    (httpIfUsed?.server.routes ?? []).map { route in
      let path = route.route.pattern.path.text
      return .init(text: String(path.prefix { $0 != "{" }), description: "a route")
    }
  }

  private func expectsFile(at place: CompletionPlace) -> Bool {
    Script.expectations(at: place.start, in: place.text, table: commands.table).contains(.file)
  }

  /// Adds the files to which a path may lead, in quotes where one of them needs these.
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

  /// A path as a text. That of a folder goes on.
  private static func quoted(_ path: String) -> String {
    let text = JSONValue.string(path).text
    return path.hasSuffix("/") ? String(text.dropLast()) : text
  }
}

/// The word at the end of a text, which may be empty, and what stands before it.
struct CompletionPlace {
  let text: String
  /// The byte at which the word begins.
  let start: Int
  let typed: String
  /// What stands before, cut at blanks.
  let words: [String]

  init(in text: String) {
    let bytes = Array(text.utf8)
    var start = bytes.count
    while start > 0, bytes[start - 1].isWordByte || bytes[start - 1] == UInt8(ascii: "/") {
      start -= 1
    }
    self.init(in: text, from: start)
  }

  /// What would be a path, up to a blank, or all behind a quotation mark that is still open.
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

  /// What stands before the word.
  var before: String { String(decoding: text.utf8.prefix(start), as: UTF8.self) }
  /// Whether the word begins as words do: at the start, or behind a blank.
  var isWord: Bool { text.utf8.prefix(start).last.map { $0 <= 0x20 } ?? true }
  var verb: String? { words.first }
  var previous: String? { words.last }
  /// Whether the caret stands behind a blank, or at the start.
  var isFresh: Bool { typed.isEmpty && (text.utf8.last.map { $0 <= 0x20 } ?? true) }
}

/// Candidates as they are found, the first of them with what they are.
struct FoundCandidates {
  /// How many are kept; more than any screen shows.
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

  /// Adds a candidate if it fits and is new; where there are more than are kept, none is compared.
  mutating func add(_ text: String, _ description: () -> String) {
    if fits(text) { addFitting(text, description) }
  }

  /// Adds a candidate that is written otherwise than what was typed, which it fits.
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
