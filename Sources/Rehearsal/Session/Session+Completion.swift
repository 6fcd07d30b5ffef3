import Loading
import MockHTTP
import Script
import Timelines

/// What may come next at the end of a half-typed command.
package struct Completion: Equatable {
  /// How many characters of the text the candidates replace.
  package var replacing: Int
  package var candidates: [Candidate]

  package struct Candidate: Equatable {
    package var text: String
    /// What it is, in a few words; may be empty.
    package var description: String
  }
}

extension Session {
  /// What could stand where the text ends.
  package func completion(of text: String) -> Completion {
    let bytes = Array(text.utf8)
    var start = bytes.count
    while start > 0, bytes[start - 1].isWordByte || bytes[start - 1] == UInt8(ascii: "/") {
      start -= 1
    }
    let typed = String(decoding: bytes[start...], as: UTF8.self)
    let expectations = Script.expectations(at: start, in: text, table: table)
    var candidates: [Completion.Candidate] = []
    for expectation in expectations {
      for candidate in self.candidates(for: expectation, typed: typed, before: text)
      where candidate.text.hasPrefix(typed) && !candidates.contains(candidate) {
        candidates.append(candidate)
      }
    }
    return Completion(replacing: typed.count, candidates: candidates)
  }

  private func candidates(
    for expectation: Acceptable,
    typed: String,
    before text: String
  ) -> [Completion.Candidate] {
    let words = text.dropLast(typed.count).split(separator: " ").map(String.init)
    return switch expectation {
    case .keyword(let word):
      isTaken(word, after: words) ? [.init(text: word, description: "")] : []
    case .described(let word, let summary): [.init(text: word, description: summary)]
    case .verb:
      table.available.map { .init(text: $0.verb, description: $0.summary) }
    case .laterVerb:
      table.available.filter(\.canBeScheduled)
        .map { .init(text: $0.verb, description: $0.summary) }
    case .valueSource:
      members.filter { $0 is any ValueSource }.map {
        .init(text: $0.name, description: $0.stateText)
      }
    case .member:
      members.filter {
        !selectiveVerbs.contains(words.last ?? "") || $0.verbs.contains(words.last ?? "")
      }
      .map { .init(text: $0.name, description: $0.stateText) }
    case .loadable: members(of: "loadable") + members(of: "custom source")
    case .process: members(of: "process")
    case .input: members(of: "input")
    case .kind:
      text.split(separator: " ").dropFirst().first.flatMap { name in
        members.first { $0.name == name }
      }?.kinds.map { .init(text: $0, description: "") } ?? []
    case .policy:
      LoadingPolicy.all.map { .init(text: $0.name, description: HelpTopic.explanation(of: $0)) }
    case .type:
      (ValueType.basic.map(\.name) + shapes.map(\.name)).map { .init(text: $0, description: "") }
    case .topic:
      HelpText.topics(with: availableCommands).map { .init(text: $0, description: "") }
    case .scene: scenes.map { .init(text: $0.name, description: $0.summary) }
    case .file: fileCandidates(typed)
    case .target: targets
    case .endpoint:
      httpIfUsed?.endpoints.map { .init(text: $0.name, description: $0.spec.text) } ?? []
    case .sample: []
    }
  }

  /// Whether a word suits the member that a command names just before it.
  private func isTaken(_ word: String, after words: [String]) -> Bool {
    let place = words.last == "never" ? words.dropLast() : words[...]
    guard let verb = place.dropLast().last, selectiveVerbs.contains(verb), let name = place.last,
      let member = members.first(where: { $0.name == name })
    else { return true }
    return member.takes(word, after: verb)
  }

  /// The paths of the routes, each as far as it is literal.
  private var targets: [Completion.Candidate] {
    (httpIfUsed?.server.routes ?? []).map { route in
      let path = route.route.pattern.path.text
      return .init(text: String(path.prefix { $0 != "{" }), description: "")
    }
  }

  private func members(of word: String) -> [Completion.Candidate] {
    members.filter { $0.word == word }.map { .init(text: $0.name, description: $0.stateText) }
  }

  private func fileCandidates(_ typed: String) -> [Completion.Candidate] {
    let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    return files.entries(in: folder).filter { $0.first != "." }
      .map { .init(text: folder + $0, description: "") }
  }
}
