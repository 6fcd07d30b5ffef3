import Foundation
import LineEditing
import PseudoTerminal
import Testing

/// A shell of a user's own whose code misbehaves.
@Suite struct TroubleTests {
  private func place() throws -> Workplace { try Workplace(program: "TroubleShell") }

  @Test(arguments: [
    ("trap 7", "trap 7", "Index out of range"), ("overflow", "overflow", ""),
    ("trap-later\nsettle", "settle", "Index out of range"),
  ])
  func `a crash in the user's code is told with its command, and the recording is whole`(
    commands: String,
    culprit: String,
    message: String
  ) throws {
    let place = try place()
    let outcome = try place.rehearse("record", "a.transcript", input: "scene trouble\n" + commands)

    #expect(outcome.code < 0)
    #expect(message.isEmpty || outcome.errors.contains(message))
    #expect(
      outcome.errors.contains(
        """
        error: the program crashed in this command:
          > \(culprit)
        note: the transcript up to it is in a.transcript

        """
      )
    )
    #expect(place.read("a.transcript").hasPrefix("> scene trouble\n  trap-later  idle\n"))
    #expect(place.read("a.transcript").hasSuffix("> \(culprit)\n"))
  }

  @Test(arguments: [
    ("leave 0", "leave 0", 0), ("leave 7", "leave 7", 7), ("leave-later\nsettle", "settle", 0),
  ])
  func `an exit in the user's code is told with its command, and fails`(
    commands: String,
    culprit: String,
    code: Int
  ) throws {
    let place = try place()
    let notice = "error: exit(\(code)) ended the program in this command:\n  > \(culprit)\n"
    try place.write("a.rehearse", "scene trouble\n\(commands)\nnow\n")
    for arguments in [["run", "a.rehearse"], ["-c", "source a.rehearse"]] {
      let outcome = try place.rehearse(arguments, input: [])
      #expect(outcome.code == 1)
    }
    let outcome = try place.rehearse("record", "a.transcript", input: place.read("a.rehearse"))
    #expect(outcome.code == 1)
    #expect(outcome.errors == notice + "note: the transcript up to it is in a.transcript\n")
    #expect(place.read("a.transcript").hasSuffix("> \(culprit)\n"))
  }

  @Test(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
  func `an exit at the prompt leaves the terminal as it was`() throws {
    let terminal = try place().terminal()
    try terminal.enter("scene trouble")
    try terminal.type("leave 0\r")

    #expect(try terminal.waitForExit() == 1)
    #expect(terminal.isCooked)
    #expect(
      terminal.screen.text.suffix(2)
        == ["error: exit(0) ended the program in this command:", "  > leave 0"]
    )
  }

  @Test func `under test an exit is the failure of its transcript alone`() throws {
    let place = try place()
    // 75 is how workers of the runner's own accord leave.
    for code in [0, 75] {
      try place.write("\(code).transcript", "> scene trouble\n  ...\n> leave \(code)\n")
    }
    try place.write("b.transcript", "> now\n  0.000s\n")
    let outcome = try place.rehearse("test", ".")

    for code in [0, 75] {
      let words = "ended the process, with status \(code)\n > leave \(code)\n"
      #expect(outcome.output.contains("\(code).transcript:3: \(words)"))
    }
    #expect(outcome.output.hasSuffix("1 passed, 2 failed\n"))
    #expect(outcome.errors.isEmpty)
  }

  @Test func `below a back-trace the command is named once more`() throws {
    let outcome = try place().rehearse(
      input: "scene trouble\ntrap 7\n",
      environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no,symbolicate=off"]
    )
    let notice = "error: the program crashed in this command:\n  > trap 7\n"

    // Once before the back-trace, which may begin with words of its own, and once below it.
    #expect(outcome.errors.components(separatedBy: notice).count == 3)
    #expect(outcome.errors.contains("\n*** "))
    #expect(outcome.errors.hasSuffix("\n" + notice))
  }

  @Test func `a session's own workers may lock, wherever memory is reserved`() throws {
    let place = try place()
    try place.write(
      "a.transcript",
      "> scene trouble\n  ...\n> reserve\n> test b.transcript\n  1 passed\n"
    )
    try place.write("b.transcript", "> now\n  0.000s\n")
    #expect(try place.rehearse("test", "a.transcript").output == "1 passed\n")
  }

  @Test func `under test a crash is the failure of its transcript alone`() throws {
    let place = try place()
    try place.write("a.transcript", "> scene trouble\n  ...\n> trap 7\n")
    try place.write("b.transcript", "> now\n  0.000s\n")
    let outcome = try place.rehearse("test", ".")

    #expect(outcome.output.hasPrefix("a.transcript:3: crashed, by a trap\n > trap 7\n"))
    #expect(outcome.output.hasSuffix("1 passed, 1 failed\n"))
  }

  @Test(
    .enabled(if: LineEditor.isBuiltIn, "built without line editing"),
    arguments: [
      ("spin", "spin"), ("block\rsettle", "settle"), ("set latch 1", "set latch 1"),
      ("scene endless", "scene endless"),
    ]
  )
  func `code that keeps its thread is told of, and a quit signal ends the program`(
    commands: String,
    culprit: String
  ) throws {
    let terminal = try place().terminal()
    try terminal.enter("scene trouble")
    try terminal.type(commands + "\r")
    try terminal.wait(forLine: "  > \(culprit)")
    try terminal.wait(
      forLine: "hint: Ctrl-C cannot stop a lock or an endless loop; Ctrl-\\ ends the program"
    )

    try terminal.type("\u{1C}")
    #expect(try terminal.waitForExit() == -3)
  }

  @Test(arguments: [
    (
      "poll\nsettle", "more than 10000 instants by 10000s: 1 asleep, the first until 10001s",
      "hint: 'wait D' or 'settle within D' stops at a time; 'cancel' cancels everything in flight"
    ),
    (
      "yield", "more than 100000 jobs at 0s: 1 ready",
      "hint: a task that never waits stops time; 'cancel' cancels everything in flight"
    ),
  ])
  func `a model that never settles is named, and can be ended`(
    commands: String,
    problem: String,
    hint: String
  ) throws {
    let name = commands.prefix { $0 != "\n" }
    let outcome = try place()
      .rehearse(input: "scene trouble\n\(commands)\ncancel \(name)\nsettle\nshow \(name)\n")

    #expect(outcome.output.contains("  error: \(problem); in flight: \(name) #1\n"))
    #expect(outcome.output.contains("  \(hint)\n"))
    #expect(outcome.output.contains("  \(name)  running #1 → idle, #1 cancelled\n"))
    #expect(outcome.output.contains("> show \(name)\n  \(name)\n    state     idle\n"))
  }

  @Test func `what waits for an answer that nobody gives is named when all is settled`() throws {
    let outcome = try place().rehearse(input: "scene trouble\nlose\nsettle\n")

    #expect(outcome.output.hasSuffix("  lose  #1 still waiting, with nothing left to run\n"))
    #expect(outcome.code == 0)
  }

  // MARK: A name of its own

  @Test func `usage, hints and version are the program's own`() throws {
    let place = try place()

    #expect(try place.rehearse("--version").output == "7.0 (debug build)\n")
    #expect(try place.rehearse("--help").output.contains("USAGE: TroubleShell [-c <commands> ...]"))
    #expect(try place.rehearse("test", "--help").output.contains("USAGE: TroubleShell test"))
    #expect(
      try place.rehearse("a.transcript").errors
        .hasSuffix("hint: 'TroubleShell test a.transcript' replays a transcript\n")
    )
    #expect(try place.rehearse("-c", "help save").output.contains("'TroubleShell test FILE'"))
  }

  @Test func `only the program's own scenes are there`() throws {
    let outcome = try place().rehearse("-c", "scenes")

    #expect(
      outcome.output == """
        > scenes
          trouble   Code with every kind of fault.
          squatter  Creates the file of a transcript that is being created.
          endless   A property whose getter never returns.

        """
    )
  }

  @Test func `what differs is accepted by the program itself`() throws {
    let place = try place()
    try place.write("a.md", "```transcript TroubleShell\n> now\n  1.000s\n```\n")

    let outcome = try place.rehearse("test", "a.md")
    #expect(outcome.output.contains("to accept: TroubleShell accept a.md:3\n"))
    #expect(try place.rehearse("accept", "a.md:3").code == 0)
    #expect(place.read("a.md") == "```transcript TroubleShell\n> now\n  0.000s\n```\n")
  }

  @Test(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
  func `the history is kept in a folder of the program's own`() throws {
    let place = try place()
    let terminal = try place.terminal()
    #expect(try terminal.quit() == 0)

    #expect(try place.permissions(of: ".local/state/TroubleShell/history") == 0o600)
    #expect(
      terminal.screen.text.first == "TroubleShell 7.0. 'help' lists the commands, Ctrl-D leaves."
    )
  }
}
