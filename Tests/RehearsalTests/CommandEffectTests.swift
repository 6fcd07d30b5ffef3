import Scenes
import Script
import Testing

@testable import Rehearsal

/// The declared effects of all commands, compared with the effects of their examples.
@Suite struct CommandEffectTests {
  @Test(arguments: definitions)
  func `a command has the effects that it declares, and no more`(definition: CommandDefinition) {
    for example in definition.examples {
      for step in Self.steps(of: example) {
        let (effects, shown) = (
          step.effects, "\(step.command), in an example of \(definition.verb)"
        )
        if effects.onlyLooks { #expect(step.isSameFootprint, "\(shown)") }
        if step.advancedTime {
          #expect(!effects.isDisjoint(with: [.advancesTime, .performsFile]), "\(shown)")
        }
        if step.hasRead { #expect(effects.contains(.readsFile), "\(shown)") }
        if step.hasWritten { #expect(effects.contains(.writesFile), "\(shown)") }
        #expect(step.endsSession == effects.contains(.endsSession), "\(shown)")
        #expect(step.isLogged != effects.contains(.leftOut), "\(shown)")
        if effects.contains(.declaresName), !step.hasFailed {
          #expect(step.newNames.contains(CommandText.name(madeBy: step.command) ?? ""), "\(shown)")
        }
      }
    }
  }

  @Test(arguments: definitions)
  func `the examples show all effects that a command declares`(definition: CommandDefinition) {
    let steps = Self.allSteps.filter { CommandText.definition(of: $0.command) === definition }
    let effects = definition.effects
    if effects.contains(.advancesTime) { #expect(steps.contains { $0.advancedTime }) }
    if effects.contains(.endsSession) { #expect(steps.contains { $0.endsSession }) }
    if effects.contains(.declaresName) { #expect(steps.contains { !$0.newNames.isEmpty }) }
    if effects.contains(.writesFile) { #expect(steps.contains { $0.hasWritten }) }
    if effects.contains(.performsFile) { #expect(steps.contains { $0.hasRead }) }
    for command in steps.compactMap({ CommandText.command($0.command) })
    where effects.contains(.schedules) {
      #expect(!command.arguments.commands.isEmpty)
      #expect(CommandText.scheduledCommand(in: command.text) == command.arguments.commands[0].text)
    }
  }

  @Test(arguments: definitions)
  func `only commands that read the log need it`(definition: CommandDefinition) {
    for example in definition.examples {
      let (with, without) = (
        Self.steps(of: example), Self.steps(of: example, keepsLog: false)
      )
      // Later differences may be a consequence of the first one.
      let first = zip(with, without).first { $0.output != $1.output }?.0
      if let first {
        #expect(!first.effects.isDisjoint(with: [.readsLog, .performsFile]), "\(first.command)")
      }
    }
  }

  @Test(arguments: texts)
  func `keywords, arguments and contained commands add effects`(
    text: String,
    effects: CommandEffects
  ) {
    #expect(CommandText.effects(of: text) == effects)
  }

  private static let texts: [(String, CommandEffects)] = [
    ("run account save", .changes), ("set", .looks), ("set width 80", .changes),
    ("routes", .looks), ("routes from \"a.har\"", [.changes, .readsFile]),
    ("expect a loaded", .asserts), ("expect a loaded within 1s", [.asserts, .advancesTime]),
    ("in 1s log", [.changes, .schedules, .readsLog]),
    ("in 1s press save", [.changes, .schedules, .readsLog, .readsFile, .writesFile, .leftOut]),
    ("press save", .changes),
  ]

  private static let definitions = ShellCommands.table.definitions.filter {
    !$0.effects.contains(.opensNetwork)
  }

  private static let allSteps: [Step] = definitions.flatMap(\.examples).flatMap { steps(of: $0) }

  /// A command of an example, and its effects.
  private struct Step {
    let command: String
    let effects: CommandEffects
    var output: [String] = []
    var isSameFootprint = false
    var advancedTime = false
    var hasRead = false
    var hasWritten = false
    var endsSession = false
    var hasFailed = false
    var isLogged = false
    var newNames: Set<String> = []
  }

  private static func steps(of example: String, keepsLog: Bool = true) -> [Step] {
    let transcript = Transcript(path: "example", bytes: Array((example + "\n").utf8))
    nonisolated(unsafe) var output: [String] = []  // Only this thread performs commands.
    let files = NotingFiles(fixtures: transcript.fixtures)
    let host = SessionHost(files: files, scenes: Scenes.all, keepsLog: keepsLog) {
      output.append($0)
    }
    defer { host.end() }
    var steps: [Step] = []
    for command in transcript.commands {
      let names = host.names
      let before = host.stage.enter { [session = host.session] in
        (session.effects(of: command), session.footprint)
      }
      var step = Step(command: command, effects: before.0)
      step.endsSession = !host.perform(command)
      let after = host.stage.enter { [session = host.session] in
        (session.footprint, session.history.log.entries.last?.command == command)
      }
      step.isSameFootprint = after.0 == before.1
      step.advancedTime = after.0.time > before.1.time
      step.isLogged = after.1
      (step.hasRead, step.hasWritten) = host.stage.enter { files.takeNotes() }
      step.hasFailed = host.hasFailed
      step.newNames = host.names.subtracting(names)
      step.output = output
      output = []
      steps.append(step)
    }
    return steps
  }
}

extension SessionHost {
  fileprivate var names: Set<String> {
    stage.enter { [session] in
      Set(session.members.all.map(\.name) + session.members.shapes.map(\.name))
        .union(session.httpIfUsed?.endpoints.map(\.name) ?? [])
    }
  }
}

/// The files of an example. Notes whether any was read or written.
@MainActor private final class NotingFiles: SessionFiles {
  private let files: MemoryFiles
  private var hasRead = false
  private var hasWritten = false

  nonisolated init(fixtures: Fixtures) { files = MemoryFiles(fixtures: fixtures) }

  func takeNotes() -> (hasRead: Bool, hasWritten: Bool) {
    defer { (hasRead, hasWritten) = (false, false) }
    return (hasRead, hasWritten)
  }

  func read(_ path: String) throws(FileProblem) -> [UInt8] {
    hasRead = true
    return try files.read(path)
  }

  func readAny(_ path: String, limitInBytes: Int) throws(FileProblem) -> [UInt8] {
    hasRead = true
    return try files.readAny(path, limitInBytes: limitInBytes)
  }

  func write(_ path: String, _ bytes: [UInt8]) throws(FileProblem) {
    hasWritten = true
    try files.write(path, bytes)
  }

  func append(to path: String) throws(FileProblem) -> any FileAppender {
    hasWritten = true
    return try files.append(to: path)
  }

  func entries(in folder: String) -> [String] { files.entries(in: folder) }
  func path(_ path: String, from script: String?) -> String { files.path(path, from: script) }
  var origin: String? { files.origin }
  var fixtures: Fixtures { files.fixtures }
  var unreadFixtures: [String] { files.unreadFixtures }
  func identity(of path: String) -> String { files.identity(of: path) }
  func note(_ readings: [FileReading]) {}
  var testNesting: Int { 0 }
  var threadedReplay: ThreadedReplay { files.threadedReplay }
}
