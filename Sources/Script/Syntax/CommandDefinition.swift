import Synchronization

/// A command of the language: its syntax, its documentation and its effects. `ShellCommand` adds the code.
package final class CommandDefinition: Sendable {
  package let verb: String
  package let topic: Topic
  /// One line, an imperative: `Starts a load.`
  package let summary: String
  /// What else is to know, in paragraphs; lines are broken where they are printed.
  package let details: [String]
  package let arguments: [Syntax]
  package let clauses: [Syntax]
  /// Transcripts, each of which replays.
  package let examples: [String]
  /// What its keywords mean, where they mean something else than in other commands.
  package let meanings: [String: String]
  /// What it does to a member; nil if every member supports it.
  package let action: MemberAction?
  /// What it does, whatever its arguments are.
  package let effects: CommandEffects
  /// What it does in addition if it has any argument.
  package let argumentEffects: CommandEffects
  /// What it does in addition if it has a keyword, by the keyword.
  package let clauseEffects: KeyValuePairs<String, CommandEffects>
  /// The words that begin its clauses.
  package let clauseWords: Set<String>
  /// All that follows the verb.
  let parts: [Syntax]

  package init(
    _ verb: String,
    topic: Topic,
    summary: String,
    details: [String] = [],
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

  /// Where help lists it.
  package enum Topic: String, CaseIterable, Sendable {
    case members = "Members"
    case loading = "Loading"
    case http = "HTTP"
    case pipes = "Pipes"
    case scenes = "Scenes"
    case time = "Time"
    case looking = "Looking"
    case session = "Session"

    /// What `help` takes for it.
    package var name: String { rawValue.lowercased() }
  }

  /// What follows the verb in its help, part by part: `NAME`, `ANSWER`, `[after D]`.
  package var synopsis: [String] {
    arguments.map(\.synopsis) + clauses.map { "[" + $0.synopsis + "]" }
  }
}

/// The commands of a shell, found by their verbs.
package final class CommandTable: Sendable {
  package let definitions: [CommandDefinition]
  private let indices: [String: Int]
  /// The same by the first byte of the verb.
  private let indicesByFirst: [[Int]]
  /// What was read of late, at places by a hash of its text: the same commands come again in each run of a search,
  /// and many of them in each transcript.
  private let latest = Mutex([ParsedCommand?](repeating: nil, count: mostKept))

  private static let (mostKept, longestKept) = (128, 200)

  /// The definitions of all commands, of which some are gone: their places stay taken, since commands
  /// are known by their places, but nobody finds them.
  ///
  /// - Precondition: no two commands that are not gone have the same verb.
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

  /// The command by its verb, among those whose verbs begin with a byte.
  func index(from first: UInt8, where isVerb: (String) -> Bool) -> Int? {
    indicesByFirst[Int(first)].first { isVerb(definitions[$0].verb) }
  }

  /// What a text was read as, if that was of late.
  func known(_ text: String) -> ParsedCommand? {
    guard text.utf8.count <= Self.longestKept else { return nil }
    let known = latest.withLock { $0[Self.place(of: text)] }
    // By their bytes: texts that only look the same are not.
    guard let known, known.source.utf8.elementsEqual(text.utf8) else { return nil }
    return known
  }

  /// Keeps what a text was read as, in the place of another.
  func keep(_ command: ParsedCommand) {
    guard command.source.utf8.count <= Self.longestKept else { return }
    latest.withLock { $0[Self.place(of: command.source)] = command }
  }

  private static func place(of text: String) -> Int {
    text.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & (mostKept - 1)
  }

  /// The commands that can be typed, in their order.
  package var available: [CommandDefinition] { indices.values.sorted().map { definitions[$0] } }

  package var verbs: [String] { available.map(\.verb) }
}

/// A command that was understood.
///
/// An object, since it is handed from one to the next.
package final class ParsedCommand: Sendable {
  /// Which one, as an index into the table.
  package let index: Int
  package let verb: Located<String>
  package let arguments: Arguments
  /// What it does, without the commands that it contains.
  package let effects: CommandEffects
  /// What it and the commands do that it contains.
  package let allEffects: CommandEffects
  /// The text from the verb to the end.
  package let text: String
  /// The whole text that spans count in; longer than `text` for a command inside another one.
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
