import Synchronization

/// A command of the language: its syntax, its documentation and its effects. `ShellCommand` adds the code.
package final class CommandDefinition: Sendable {
  package let verb: String
  package let topic: Topic
  /// One line, a sentence: `Starts a load.`
  package let summary: String
  /// Paragraphs after the summary. They are wrapped when printed.
  package let details: [String]
  /// The words of the problems that it helps with, for `help search`: "flaky, race: repeats an order of jobs".
  package let problems: [String]
  package let arguments: [Syntax]
  package let clauses: [Syntax]
  /// Examples as transcripts. The tests replay them.
  package let examples: [String]
  /// Meanings of its keywords that differ from those in other commands.
  package let meanings: [String: String]
  /// The action on a member; nil if every member supports the command.
  package let action: MemberAction?
  /// The effects for all arguments.
  package let effects: CommandEffects
  /// Additional effects if it has any argument.
  package let argumentEffects: CommandEffects
  /// Additional effects by keyword.
  package let clauseEffects: KeyValuePairs<String, CommandEffects>
  /// The words that begin its clauses.
  package let clauseWords: Set<String>
  /// All syntax after the verb.
  let parts: [Syntax]

  package init(
    _ verb: String,
    topic: Topic,
    summary: String,
    details: [String] = [],
    problems: [String] = [],
    arguments: [Syntax] = [],
    clauses: [Syntax] = [],
    meanings: [String: String] = [:],
    action: MemberAction? = nil,
    effects: CommandEffects = .changes,
    argumentEffects: CommandEffects = [],
    clauseEffects: KeyValuePairs<String, CommandEffects> = [:],
    examples: [String]
  ) {
    self.verb = verb
    self.topic = topic
    self.summary = summary
    self.details = details
    self.problems = problems
    self.arguments = arguments
    self.clauses = clauses
    self.meanings = meanings
    self.action = action
    self.effects = effects
    self.argumentEffects = argumentEffects
    self.clauseEffects = clauseEffects
    self.examples = examples
    clauseWords = Set(clauses.compactMap(\.firstKeyword))
    precondition(clauses.count <= ClauseSet.size, "A command has at most 64 clauses.")
    parts = arguments + [.clauses(clauses)]
  }

  /// The heading of the command in the help.
  package enum Topic: String, CaseIterable, Sendable {
    case members = "Members"
    case loading = "Loading"
    case http = "HTTP"
    case pipes = "Pipes"
    case scenes = "Scenes"
    case time = "Time"
    case looking = "Looking"
    case session = "Session"

    /// The name of the heading for `help`.
    package var name: String { rawValue.lowercased() }
  }

  /// The syntax after the verb as in help, part by part: `NAME`, `ANSWER`, `[after D]`.
  package var synopsis: [String] {
    Syntax.synopsis(of: arguments + clauses.map { .optional($0) })
  }
}

/// The commands of a shell, by their verbs.
package final class CommandTable: Sendable {
  package let definitions: [CommandDefinition]
  private let indices: [String: Int]
  /// The same by the first byte of the verb.
  private let indicesByFirst: [[Int]]
  /// Recently parsed commands, at indices by a hash of their texts. Each run of a search has the
  /// same commands, and so have many transcripts. Empty until a command is kept.
  private let latest = Mutex<[ParsedCommand?]>([])

  /// A generated session has some of several hundred commands.
  private static let (mostKept, longestKept) = (1024, 200)

  /// Creates a table of commands. The removed ones keep their indices, because an index identifies
  /// a command, but cannot be found.
  ///
  /// - Precondition: no two commands that are not removed have the same verb.
  package init(_ definitions: [CommandDefinition], without gone: Set<Int> = []) {
    self.definitions = definitions
    indices = Dictionary(
      uniqueKeysWithValues: definitions.enumerated()
        .filter { !gone.contains($0.offset) }.map { ($0.element.verb, $0.offset) }
    )
    var indicesByFirst = [[Int]](repeating: [], count: 256)
    for (verb, index) in indices {
      if let first = verb.utf8.first { indicesByFirst[Int(first)].append(index) }
    }
    self.indicesByFirst = indicesByFirst
  }

  package static let empty = CommandTable([])

  package func index(of verb: String) -> Int? { indices[verb] }

  package func definition(of verb: String) -> CommandDefinition? {
    indices[verb].map { definitions[$0] }
  }

  /// Returns the command by its verb, among those whose verbs begin with a byte.
  func index(from first: UInt8, where isVerb: (String) -> Bool) -> Int? {
    indicesByFirst[Int(first)].first { isVerb(definitions[$0].verb) }
  }

  /// Returns the parsed command of a text, if it was parsed recently.
  func known(_ text: String) -> ParsedCommand? {
    guard text.utf8.count <= Self.longestKept else { return nil }
    var text = text
    return text.withUTF8 { bytes in
      let known = latest.withLock { $0.isEmpty ? nil : $0[Self.place(of: bytes)] }
      guard let known else { return nil }
      var source = known.source
      // Compares bytes: equal strings can have different bytes.
      return source.withUTF8 { $0.elementsEqual(bytes) } ? known : nil
    }
  }

  /// Keeps the parsed command of a text, in place of another.
  func keep(_ command: ParsedCommand) {
    guard command.source.utf8.count <= Self.longestKept else { return }
    var source = command.source
    let place = source.withUTF8(Self.place)
    latest.withLock { latest in
      if latest.isEmpty { latest = Array(repeating: nil, count: Self.mostKept) }
      latest[place] = command
    }
  }

  private static func place(of text: UnsafeBufferPointer<UInt8>) -> Int {
    text.reduce(0) { $0 &* 31 &+ Int($1) } & (mostKept - 1)
  }

  /// The commands that can be typed, in their order.
  package var available: [CommandDefinition] { indices.values.sorted().map { definitions[$0] } }

  package var verbs: [String] { available.map(\.verb) }
}

/// A parsed command.
///
/// A class, because many functions pass it on.
package final class ParsedCommand: Sendable {
  /// The index of the definition in the table.
  package let index: Int
  package let verb: Located<String>
  package let arguments: Arguments
  /// Its effects, without those of the commands that it contains.
  package let effects: CommandEffects
  /// Its effects, with those of the commands that it contains.
  package let allEffects: CommandEffects
  /// The text from the verb to the end.
  package let text: String
  /// The whole text, to which spans refer. It is longer than `text` for a command inside another
  /// one.
  package let source: String

  init(
    index: Int,
    verb: Located<String>,
    arguments: Arguments,
    effects: CommandEffects,
    allEffects: CommandEffects,
    text: String,
    source: String
  ) {
    self.index = index
    self.verb = verb
    self.arguments = arguments
    self.effects = effects
    self.allEffects = allEffects
    self.text = text
    self.source = source
  }
}
