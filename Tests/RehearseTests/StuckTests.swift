import Foundation
import LineEditing
import PseudoTerminal
import Testing

/// Messages about commands that end the program or never end.
@Suite struct StuckTests {
  @Test(arguments: [["-c", "simulate crash"], ["run", "a.rehearse"]])
  func `a crash is reported with its command`(
    arguments: [String]
  ) throws {
    let place = try Workplace()
    try place.write("a.rehearse", "now\nsimulate crash\n")
    let outcome = try place.rehearse(arguments, input: [])

    #expect(outcome.code < 0)
    #expect(outcome.errors.contains("\nerror: the program crashed in this command:\n  > simulate"))
    #expect(!outcome.errors.contains("note: the transcript"))
  }

  @Test func `what a thread gives to the main queue and the main actor runs, and is named`() throws
  {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.rehearse", "scene trouble\nanswer\nsettle\n")
    let outcome = try place.rehearse(["run", "a.rehearse"], input: [])

    #expect(outcome.lines.count { $0.hasSuffix("answers  on the main queue") } == 2)
    for call in ["Thread", "DispatchQueue.main.async by another thread", "Task by another thread"] {
      let line = outcome.lines.first { $0.contains("  \(call) in Trouble.answer() at Trouble") }
      #expect(line?.hasSuffix(" is outside of virtual time") == true, "\(outcome.output)")
    }
  }

  @Test func `in the shell, what a handler of Dispatch gives to the main queue runs, and is named`()
    throws
  {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.rehearse", "scene trouble\nreceive\nsettle\n")
    let outcome = try place.rehearse(["run", "a.rehearse"], input: [])

    #expect(outcome.lines.contains { $0.hasSuffix("answers  received") }, "\(outcome.output)")
    let call = "DispatchQueue.main.async by another thread in Trouble.receive() at Trouble"
    #expect(outcome.lines.contains { $0.contains("  \(call)") }, "\(outcome.output)")
  }

  @Test func `a suspended queue of operations is named, and no-deadlock is violated`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.rehearse", "scene trouble\nsuspend\nsettle\n")
    let text = "OperationQueue is suspended with 2 operations"
    let outcome = try place.rehearse(["run", "a.rehearse"], input: [])
    #expect(outcome.lines.contains("     0.000s  \(text)"), "\(outcome.output)")

    let search = try place.rehearse(["explore", "a.rehearse", "--schedules", "5"], input: [])
    #expect(search.output.contains(text), "\(search.output)")
    #expect(search.output.contains("no-deadlock"))
  }

  @Test func `an operation that never finishes is named, and no-deadlock is violated`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.rehearse", "scene trouble\nupload\nsettle\n")
    let text =
      "an operation of class 'Upload' of OperationQueue, added in Trouble.upload(), has started and not finished"
    let outcome = try place.rehearse(["run", "a.rehearse"], input: [])
    #expect(outcome.lines.contains("     0.000s  \(text)"), "\(outcome.output)")

    let search = try place.rehearse(["explore", "a.rehearse", "--schedules", "5"], input: [])
    #expect(search.output.contains(text), "\(search.output)")
    #expect(search.output.contains("no-deadlock"))
  }

  @Test func `without a function of the toolchain, work for Dispatch is named when it occurs`()
    throws
  {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.rehearse", "scene trouble\nbackground\nsettle\n")
    let missing = ["REHEARSE_MISSING": "dispatch_async"]
    let outcome = try place.rehearse(["run", "a.rehearse"], input: [], environment: missing)
    let named = "  work for Dispatch in Trouble.background() at "
    let line = outcome.lines.first { $0.contains(named) }
    #expect(line?.hasSuffix(" is outside of virtual time") == true, "\(outcome.output)")

    let search = try place.rehearse(
      ["explore", "a.rehearse", "--strategy", "exhaustive"],
      input: [],
      environment: missing
    )
    #expect(search.output.contains("'dispatch_async' is missing: "), "\(search.output)")
    let known = try place.rehearse(["run", "a.rehearse"], input: [])
    #expect(!known.output.contains("outside of virtual time"))
  }

  @Test func `work outside of virtual time is named, and alike in two runs`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.rehearse", "scene trouble\nsubmit\nsettle\n")
    let outcomes = try (0..<2).map { _ in try place.rehearse(["run", "a.rehearse"], input: []) }

    #expect(outcomes[0].output == outcomes[1].output)
    #expect(
      outcomes[0].lines.filter {
        $0.contains(
          /^ +0\.000s  Thread in Trouble\.submit\(\) at \w+\.swift:\d+ is outside of virtual time$/
        )
      }.count == 1
    )
  }

  @Test func `a search names a task that blocks its thread`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.rehearse", "scene trouble\ndoze\nsettle\n")
    let text = "the number of threads: sleep in Trouble.doze() at TroubleShell.swift:"
    let search = try place.rehearse(["explore", "a.rehearse"], input: [])
    #expect(search.lines.contains { $0.contains("not varied: \(text)") }, "\(search.output)")
    #expect(search.lines.contains { $0.contains(", not all") }, "\(search.output)")

    let report = try place.rehearse(["explore", "--json", "a.rehearse"], input: [])
    #expect(report.lines.contains { $0.contains("\"unvaried\"") && $0.contains(text) })
    #expect(report.output.contains("\"reason\": \"partial\""), "\(report.output)")
  }

  @Test func `blocking calls that never end are named, and a search reports them`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.rehearse", "scene trouble\ndeadlock\nsettle\nnow\n")
    let named = "DispatchSemaphore.wait in Trouble.deadlock() blocks the main actor forever"
    let run = try place.rehearse(["run", "a.rehearse"], input: [])
    #expect(run.lines.contains { $0.contains(named) })
    #expect(run.code == 0)

    let search = try place.rehearse(["explore", "a.rehearse"], input: [])
    #expect(search.code == 1)
    #expect(search.output.contains("no-deadlock"))
    #expect(search.output.contains(named))
  }

  @Test(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
  func `a command that loops forever is reported with its line and what waits`() throws {
    let terminal = try Workplace(program: "TroubleShell").terminal()
    for line in ["scene trouble", "leak", "settle", "spin"] { try terminal.type(line + "\r") }
    try terminal.wait(
      forLine: "hint: Ctrl-C cannot stop a lock or an endless loop; Ctrl-\\ ends the program"
    )
    let text = terminal.screen.text.joined(separator: "\n")
    #expect(
      text.contains(/what runs:\n( +in .*\n)* +in closure in .*TroubleShell\.swift:32/),
      "\(text)"
    )
    #expect(
      text.contains(
        /what waits, and where:\n +'first' waits for .*\n +in Trouble\.waitForever\(\) at Tr/
      ),
      "\(text)"
    )
    try terminal.type("\u{1C}")
    #expect(try terminal.waitForExit() == -SIGQUIT)
  }

  private static let looping = "> scene trouble\n> leak\n> spin\n"
  private static var whatRuns: Regex<(Substring, Substring?)> {
    /what runs:[\s#]+(in .*[\s#]+)*in closure in TroubleShell\.scenes at TroubleShell\.swift:32[\s#]+what waits, and where:[\s#]+'first' waits for/
  }

  @Test func `at its time limit, a transcript shows what runs and what waits`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.transcript", Self.looping)
    let outcome = try place.rehearse(["test", "--timeout", "1s", "a.transcript"], input: [])
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("a.transcript:3: took longer than 1s"))
    #expect(outcome.output.contains(Self.whatRuns), "\(outcome.output)")
  }

  @Test func `at its time limit, a run of a search shows what runs and what waits`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.rehearse", "scene trouble\nleak\nspin\n")
    let outcome = try place.rehearse(
      ["explore", "--timeout", "1s", "--schedules", "3", "a.rehearse"],
      input: []
    )
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("took longer than 1s"))
    #expect(outcome.output.contains(Self.whatRuns), "\(outcome.output)")
    let lines = try place.rehearse(
      ["explore", "--timeout", "1s", "--schedules", "3", "--json", "a.rehearse"],
      input: []
    )
    #expect(
      lines.output.contains(
        /"details": \["what runs:", ("  in [^"]*", )*"  in closure in TroubleShell\.scenes at TroubleShell\.swift:32"/
      ),
      "\(lines.output)"
    )
  }

  @Test func `SIGQUIT stops a run, which shows what runs and what waits`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.transcript", Self.looping)
    let terminal = try place.terminal(["test", "--timeout", "5m", "a.transcript"])
    try terminal.wait(for: "the command") { $0.text.contains { $0.contains("file 1 of 1") } }
    try terminal.type("\u{1C}")
    #expect(try terminal.waitForExit() == 131)
    let text = String(decoding: terminal.written, as: UTF8.self)
    #expect(text.contains("SIGQUIT: a.transcript\r\nwhat runs:\r\n"), "\(text)")
    #expect(text.contains(Self.whatRuns), "\(text)")
    #expect(text.contains("error: stopped by Ctrl-\\ in a.transcript; 0 of 1 replayed"), "\(text)")
  }

  @Test(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
  func `a command that blocks its thread is reported once, with a hint`() throws {
    let terminal = try Workplace().terminal()
    try terminal.enter(
      "simulate hang",
      until: "note: this command has blocked its thread for 3 seconds, working or waiting:"
    )
    try terminal.wait(
      forLine: "hint: Ctrl-C cannot stop a lock or an endless loop; Ctrl-\\ ends the program"
    )
    #expect(terminal.screen.text.contains("  > simulate hang"))

    try terminal.type("\u{1C}")
    #expect(try terminal.waitForExit() == -SIGQUIT)
  }
}
