import Foundation
import LineEditing
import PseudoTerminal
import Testing

/// A shell with faulty user code.
@Suite struct TroubleTests {
  private func place() throws -> Workplace { try Workplace(program: "TroubleShell") }

  @Test(arguments: [
    ("trap 7", "trap 7", "Index out of range"), ("overflow", "overflow", ""),
    ("trap-later\nsettle", "settle", "Index out of range"),
  ])
  func `a crash in the user's code is reported with its command, and the recording is complete`(
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
  func `an exit in the user's code is reported with its command, and fails`(
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
  func `an exit at the prompt restores the terminal`() throws {
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

  @Test func `under test, an exit fails only its transcript`() throws {
    let place = try place()
    // 75 is the exit code of workers that end themselves.
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

  @Test func `the command is named again after a backtrace`() throws {
    let outcome = try place().rehearse(
      input: "scene trouble\ntrap 7\n",
      environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no,symbolicate=off"]
    )
    let notice = "error: the program crashed in this command:\n  > trap 7\n"

    // Once before the backtrace, which may begin with other text, and once after it.
    #expect(outcome.errors.components(separatedBy: notice).count == 3)
    #expect(outcome.errors.contains("\n*** "))
    #expect(outcome.errors.hasSuffix("\n" + notice))
  }

  @Test func `workers of a session may lock, even if memory is reserved`() throws {
    let place = try place()
    try place.write(
      "a.transcript",
      "> scene trouble\n  ...\n> reserve\n> test b.transcript\n  1 passed\n"
    )
    try place.write("b.transcript", "> now\n  0.000s\n")
    #expect(try place.rehearse("test", "a.transcript").output == "1 passed\n")
  }

  @Test func `under test, a crash fails only its transcript`() throws {
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
  func `code that blocks its thread is reported, and a quit signal ends the program`(
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
      "hint: 'wait D' or 'settle within D' stops at a time; 'cancel NAME' cancels a load or run"
    ),
    (
      "yield", "more than 100000 jobs at 0s: 1 ready",
      "hint: a task that never waits stops time; 'cancel NAME' cancels a load or run"
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

  @Test func `settle names a task that waits for an answer that never arrives`() throws {
    let outcome = try place().rehearse(input: "scene trouble\nlose\nsettle\n")

    #expect(outcome.output.hasSuffix("  lose  #1 still waiting, with nothing left to run\n"))
    #expect(outcome.code == 0)
  }

  @Test func `what a task waits for follows a settle and a failing check, outside the transcript`()
    throws
  {
    let place = try place()
    let input = "scene trouble\nlose\nsettle\n"
    let outcome = try place.rehearse(input: input)
    #expect(outcome.output.hasSuffix("still waiting, with nothing left to run\n"))
    let reason = [
      "note: nothing is left to run. What waits, and where:",
      "| lose #1 waits for a continuation that nothing has resumed",
    ]
    var lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(Array(lines.prefix(2)) == reason)
    #expect(lines[2].hasPrefix("|   in closure in TroubleShell.scenes"), "\(lines)")
    #if DEBUG
    #expect(lines[2].contains(" at TroubleShell.swift:"))
    #endif

    try place.write("a.rehearse", input + "expect lose idle\n")
    let run = try place.rehearse("run", "a.rehearse")
    #expect(run.errors == outcome.errors)
    try place.write("a.transcript", run.output)
    #expect(try place.rehearse("test", "a.transcript").code == 0)

    try place.write(
      "a.transcript",
      "> scene trouble\n  ...\n> lose\n  ...\n> expect lose idle\n  ok\n"
    )
    let test = try place.rehearse("test", "a.transcript")
    lines = test.output.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: reason[0]), "\(lines)")
    #expect(lines[start + 1] == "  " + reason[1].dropFirst(2))
    #expect(lines[start + 2].hasPrefix("    in closure in TroubleShell.scenes"), "\(lines)")
    #expect(!lines[(start + 3)...].contains { $0.hasPrefix("note: ") })

    try place.write("a.rehearse", "scene trouble\nlose\nexpect lose idle\n")
    let search = try place.rehearse("explore", "a.rehearse").output
    let comment =
      "# nothing is left to run. What waits, and where:\n#   lose #1 waits for a continuation"
    #expect(search.contains(comment), "\(search)")
  }

  // Without debug information, functions have names; without symbols, unknown functions are left out, unless 'full'.
  #if os(Linux)
  @Test(arguments: [
    (
      "--strip-debug", "waiting",
      ["lose #1 waits for a continuation", "in closure in TroubleShell.scenes\n"]
    ),
    (
      "--strip-debug", "waiting full",
      ["in closure in TroubleShell.scenes\n", "in withUnsafeContinuation()"]
    ),
    ("--strip-all", "waiting", ["lose #1 still waiting"]),
    ("--strip-all", "waiting full", ["in a function without a name\n"]),
  ])
  func `a wait is reported without debug information`(
    option: String,
    command: String,
    lines: [String]
  ) throws {
    let outcome = try place().rehearse(
      [],
      input: Array("scene trouble\nlose\nsettle\n\(command)\n".utf8),
      before: "objcopy \(option) \"$1\" stripped && set -- ./stripped && ",
      after: ""
    )
    let report = outcome.output.components(separatedBy: "> \(command)\n").last ?? ""

    for line in lines { #expect(report.contains(line), "\(outcome.output) \(outcome.errors)") }
    #expect(!report.contains(".swift:"))
    #expect(report.contains("without a name") == (command == "waiting full"))
  }
  #endif

  // MARK: Another program name

  @Test func `usage, hints and version are those of the program`() throws {
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

  @Test func `only the scenes of the program are listed`() throws {
    let outcome = try place().rehearse("-c", "scenes")

    #expect(
      outcome.output == """
        > scenes
          trouble      Code with every kind of fault.
          squatter     Creates the file of a transcript that is being created.
          ledger       A sum, and a model that crashes at 5.
          barred       A command that may never be generated.
          chasm        A jump that crashes from 2 on.
          roundabout   A turn that never ends from 2 on.
          interrupter  A signal from a session.
          endless      A property whose getter never returns.

        """
    )
  }

  @Test func `the hint to accept names the program`() throws {
    let place = try place()
    try place.write("a.md", "```transcript TroubleShell\n> now\n  1.000s\n```\n")

    let outcome = try place.rehearse("test", "a.md")
    #expect(outcome.output.contains("to accept: TroubleShell accept a.md:3\n"))
    #expect(try place.rehearse("accept", "a.md:3").code == 0)
    #expect(place.read("a.md") == "```transcript TroubleShell\n> now\n  0.000s\n```\n")
  }

  @Test(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
  func `the history is in a folder of the program`() throws {
    let place = try place()
    let terminal = try place.terminal()
    #expect(try terminal.quit() == 0)

    #expect(try place.permissions(of: ".local/state/TroubleShell/history") == 0o600)
    #expect(
      terminal.screen.text.first == "TroubleShell 7.0. 'help' lists the commands, Ctrl-D leaves."
    )
  }
}
