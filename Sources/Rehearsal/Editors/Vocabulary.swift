import Loading
import RehearsalBase
import Script

/// The words of the command language by their kinds, from the definitions of the commands. Editors
/// need them to colour scripts.
package struct Vocabulary: Sendable {
  /// The verbs, in the order of help.
  package let verbs: [String]
  /// The verbs that schedule another command.
  package let schedulingVerbs: [String]
  /// The keywords after verbs, sorted.
  package let keywords: [String]
  /// The words of pipes, in the order of help, without those that are keywords.
  package let operators: [String]
  /// The names of states.
  package let states: [String]
  /// The names of types.
  package let types: [String]
  /// The methods of requests.
  package let methods: [String]
  /// The units of durations, longer ones first.
  package let units = ["min", "ns", "us", "µs", "ms", "s", "m", "h"]

  /// The words of the shell's own commands.
  package static let shell = Vocabulary(of: ShellCommands.all.map(\.definition))

  init(of definitions: [CommandDefinition]) {
    let states = Self.stateWords
    let operators = PipeWords.stages.map(\.word) + PipeWords.sources.map(\.word)
    let types = ValueType.basic.map(\.name)
    let methods = Parser.methodNames
    var words: Set<String> = []
    for definition in definitions { words.formUnion(Self.words(of: definition, operators)) }
    verbs = definitions.map(\.verb)
    schedulingVerbs = definitions.filter { $0.effects.contains(.schedules) }.map(\.verb)
    keywords = words.filter(Self.isWord).subtracting(states + types + methods).sorted()
    self.operators = operators.enumerated()
      .filter { operators.firstIndex(of: $0.element) == $0.offset }.map(\.element)
      .filter { !words.contains($0) }
    self.states = states
    self.types = types
    self.methods = methods
  }

  /// Returns the words of a command without words of pipes, some of which are clauses elsewhere.
  private static func words(
    of definition: CommandDefinition,
    _ operators: [String]
  ) -> Set<String> {
    var words: Set<String> = []
    for syntax in definition.arguments + definition.clauses { syntax.addWords(to: &words) }
    for example in definition.examples { addWords(of: example, to: &words) }
    return definition.topic == .pipes ? words.subtracting(operators) : words
  }

  private static let stateWords = [
    "absent", "loading", "loaded", "error", "idle", "running", "finished", "failed",
  ]

  private static func isWord(_ text: String) -> Bool {
    text.utf8.count > 1 && text.utf8.allSatisfy(\.isWordByte) && text.utf8.first?.isLetter == true
  }

  /// Returns the words that the parser accepts at each word of an example. This finds words that
  /// only a slot reads.
  private static func addWords(of example: String, to words: inout Set<String>) {
    let transcript = Transcript(path: "example", bytes: Array((example + "\n").utf8))
    for command in transcript.commands {
      for place in wordStarts(in: Array(command.utf8)) {
        for expectation in Script.expectations(at: place, in: command, table: ShellCommands.table) {
          expectation.addWords(to: &words)
        }
      }
    }
  }

  /// Returns the places where a word begins or another could begin.
  private static func wordStarts(in text: [UInt8]) -> [Int] {
    let blank = UInt8(ascii: " ")
    return text.indices.filter { $0 > 0 && text[$0 - 1] == blank && text[$0] != blank }
      + [text.count]
  }
}

extension Syntax {
  fileprivate func addWords(to words: inout Set<String>) {
    switch self {
    case .keyword(let word): words.insert(word)
    case .slot(let slot): for expectation in slot.expectations { expectation.addWords(to: &words) }
    case .sequence(let parts), .oneOf(let parts), .clauses(let parts):
      for part in parts { part.addWords(to: &words) }
    case .optional(let part), .list(let part), .many(let part): part.addWords(to: &words)
    }
  }
}

extension Acceptable {
  fileprivate func addWords(to words: inout Set<String>) {
    switch self {
    case .keyword(let word), .described(let word, _): words.insert(word)
    case .policy: words.formUnion(LoadingPolicy.all.map(\.name))
    case .verb, .laterVerb, .member, .loadable, .process, .kind, .type, .file, .topic, .endpoint,
      .target, .scene, .input, .valueSource, .sample:
      break
    }
  }
}
