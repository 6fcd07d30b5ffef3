import Foundation
import PseudoTerminal
import Testing

/// The command 'test --watch' at a terminal.
@Suite(.serialized) struct WatchingTests {
  private let place: Workplace
  private let good = "> now\n  0.000s\n"
  private let bad = "> now\n  1.000s\n"
  private static let keys = "  watching 2 files · Enter all · f failed · q quit"
  private static let keysWhileFailing =
    "  watching 2 files; 1 failing · Enter all · f failed · q quit"

  init() throws {
    place = try Workplace()
    try place.write("a.transcript", good)
    try place.write("b.transcript", bad)
  }

  private func terminal() throws -> TerminalSession {
    let terminal = try place.terminal(["test", "--watch", "--colour", "never", "."])
    try terminal.wait(forLine: Self.keysWhileFailing)
    return terminal
  }

  /// Presses a key, and waits until its output is above the line of keys.
  private func press(_ key: String, in terminal: TerminalSession, until words: [String]) throws {
    try terminal.type(key)
    try terminal.wait(for: words.joined(separator: ", ")) { screen in
      words.allSatisfy(screen.text.contains) && screen.text.last == Self.keysWhileFailing
    }
  }

  @Test func `keys play transcripts, and a change plays the affected ones`() throws {
    let terminal = try terminal()
    try press("f", in: terminal, until: ["what failed again", "0 passed, 1 failed"])
    try press("\r", in: terminal, until: ["everything again"])
    #expect(!terminal.isCooked)
    try place.write("b.transcript", good)
    try terminal.wait(for: "the change") { screen in
      ["b.transcript changed", "1 passed"].allSatisfy(screen.text.contains)
        && screen.text.last == Self.keys
    }
    try terminal.type("f")
    try terminal.wait(forLine: "note: nothing failed when it was replayed last")
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 0)
  }

  @Test func `a second usual folder is played when it appears`() throws {
    mkdir(place.path + "/transcripts", 0o700)
    try place.write("transcripts/a.transcript", good)
    let terminal = try place.terminal(["test", "--watch", "--colour", "never"])
    try terminal.wait(for: "the first folder") {
      $0.text.last?.hasPrefix("  watching 1 file ") == true
    }
    mkdir(place.path + "/Transcripts", 0o700)
    try place.write("Transcripts/b.transcript", bad)
    try terminal.wait(for: "the second folder") { screen in
      screen.text.contains("Transcripts/b.transcript is new")
        && screen.text.last?.hasPrefix("  watching 2 files; 1 failing ") == true
    }
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 1)
  }

  @Test func `a missing path or list does not affect the others`() throws {
    try place.write("flaky", "")
    let terminal = try place.terminal([
      "test", "--watch", "--colour", "never", "a.transcript", "b.transcript", "--known-flaky",
      "flaky",
    ])
    try terminal.wait(forLine: Self.keysWhileFailing)
    unlink(place.path + "/flaky")
    try terminal.wait(for: "the list") { screen in
      screen.text.contains("error: the list flaky: there is no such file")
        && screen.text.last == Self.keysWhileFailing
    }
    #expect(terminal.screen.text.contains("flaky is gone"))
    unlink(place.path + "/a.transcript")
    try terminal.wait(for: "the file") { screen in
      screen.text.contains("a.transcript is gone")
        && screen.text.last?.hasPrefix("  watching 1 file; 1 failing, 1 missing ") == true
    }
    unlink(place.path + "/b.transcript")
    try terminal.wait(for: "the other file") { screen in
      screen.text.last?.hasPrefix("  watching 0 files; 2 missing ") == true
    }
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 2)
  }

  @Test func `a missing named file is in the reports and in the exit code`() throws {
    try place.write("b.transcript", good)
    let terminal = try place.terminal([
      "test", "--watch", "--colour", "never", "a.transcript", "b.transcript", "--reporter",
      "json=all.json",
    ])
    try terminal.wait(forLine: Self.keys)
    unlink(place.path + "/a.transcript")
    try terminal.wait(for: "the file") { screen in
      screen.text.last?.hasPrefix("  watching 1 file; 1 missing ") == true
    }
    #expect(place.read("all.json").contains("a.transcript: there is no such file"))
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 2)
  }

  @Test func `a list that is too long fails the run and sets the exit code`() throws {
    try place.write("flaky", "limit 1\nb.transcript\n")
    let terminal = try place.terminal([
      "test", "--watch", "--colour", "never", "--known-flaky", "flaky", ".",
    ])
    try terminal.wait(forLine: Self.keys)
    try place.write("flaky", "limit 0\nb.transcript\n")
    try terminal.wait(for: "the list") { screen in
      screen.text.contains("error: flaky:1: 1 file is listed, more than its limit of 0")
        && screen.text.last == Self.keys
    }
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 1)
  }

  @Test func `a page without a fence is not a failure, and report files have all transcripts`()
    throws
  {
    try place.write("b.transcript", good)
    let terminal = try place.terminal([
      "test", "--watch", "--colour", "never", "--reporter", "json=all.json", ".",
    ])
    try terminal.wait(forLine: Self.keys)
    try place.write("notes.md", "# Notes\n")
    try terminal.wait(for: "the page") { screen in
      screen.text.contains("notes.md is new")
        && screen.text.last?.hasPrefix("  watching 3 files · ") == true
    }
    #expect(!terminal.screen.text.contains { $0.hasPrefix("error: ") })
    #expect(place.read("all.json").contains("\"ok\": true, \"passed\": 2"))
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 0)
  }

  @Test
  func `transcripts that '--fail-fast' skipped are counted, fail, and are played after a change`()
    throws
  {
    try place.write("a.transcript", bad)
    let terminal = try place.terminal([
      "test", "--watch", "--colour", "never", "--fail-fast", "--jobs", "1", "--reporter",
      "json=all.json", ".",
    ])
    try terminal.wait(
      forLine: "  watching 2 files; 1 failing, 1 not replayed · Enter all · f failed · q quit"
    )
    #expect(place.read("all.json").contains("\"notReplayed\": 1"))
    try place.write("a.transcript", good)
    try terminal.wait(forLine: Self.keysWhileFailing)
    #expect(place.read("all.json").contains("\"passed\": 1, \"updated\": 0, \"failed\": 1"))
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 1)
  }

  @Test func `notes about ignored files stay in report files after a change`() throws {
    try place.write("b.transcript", good)
    try place.write("c.transcrpt", good)
    try place.write("p.md", "```transcripts\n> now\n```\n\n```transcript\n\(good)```\n")
    let terminal = try place.terminal([
      "test", "--watch", "--colour", "never", "--reporter", "tap=all.tap", "--filter", "!b.tr", ".",
    ])
    try terminal.wait(forLine: Self.keys)
    let selection = "only transcripts whose path lacks 'b.tr'"
    for note in [selection, "c.transcrpt", "p.md:1"] {
      #expect(place.read("all.tap").contains(note), "\(note)")
    }
    try place.write("a.transcript", bad)
    try terminal.wait(forLine: Self.keysWhileFailing)
    for note in [selection, "c.transcrpt", "p.md:1"] {
      #expect(place.read("all.tap").contains(note), "\(note)")
    }
    try place.write("d.transcrpt", good)
    try terminal.wait(for: "the file that appears") { screen in
      screen.text.contains { $0.contains("d.transcrpt") }
    }
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 1)
    #expect(place.read("all.tap").contains("d.transcrpt"))
  }

  @Test func `'--watch --failed' counts the unselected transcripts until they are played`() throws {
    _ = try place.rehearse("test", ".")
    try place.write("b.transcript", good)
    try place.write("a.transcript", bad)
    let terminal = try place.terminal(
      ["test", "--watch", "--failed", "--colour", "never", "--reporter", "tap=all.tap", "."],
      columns: 200
    )
    try terminal.wait(forLine: Self.keys)
    let note = "only transcripts that failed last were selected at first, from 1 of 2 files"
    let plan = "; others are replayed when they change"
    #expect(terminal.screen.text.contains("note: \(note)\(plan)"))
    #expect(place.read("all.tap").contains(note))
    try terminal.type("\r")
    try terminal.wait(forLine: Self.keysWhileFailing)
    #expect(!place.read("all.tap").contains(note))
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 1)
  }

  @Test func `an endless loop ends when its transcript changes`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write("b.transcript", "> scene trouble\n> spin\n")
    let terminal = try place.terminal([
      "test", "--watch", "--colour", "never", "--timeout", "10m", "b.transcript",
    ])
    try terminal.wait(for: "the loop") { screen in
      screen.text.last?.contains("file 1 of 1") == true
    }
    try place.write("b.transcript", good)
    try terminal.wait(for: "the change") { screen in
      ["b.transcript changed", "1 passed"].allSatisfy(screen.text.contains)
    }
    #expect(!terminal.screen.text.contains { $0.contains("stopped") })
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 0)
  }

  @Test func `failed and changed transcripts are played if the failures are outdated`() throws {
    let place = try Workplace(program: "TroubleShell")
    try place.write("a.transcript", bad)
    try place.write("b.transcript", good)
    _ = try place.rehearse("test", "a.transcript", "b.transcript")
    try place.write("a.transcript", "> scene trouble\n> spin\n")
    let terminal = try place.terminal([
      "test", "--watch", "--failed", "--colour", "never", "--timeout", "10m", "a.transcript",
      "b.transcript",
    ])
    try terminal.wait(for: "the loop") { screen in
      screen.text.last?.contains("file 1 of 1") == true
    }
    try place.write("b.transcript", bad)
    try place.write("a.transcript", bad)
    try terminal.wait(for: "both") { screen in
      screen.text.contains("0 passed, 2 failed")
    }
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 1)
  }

  @Test func `Ctrl-C ends the watch, and the exit code reports failures`() throws {
    let terminal = try terminal()
    try terminal.type("\u{3}")

    #expect(try terminal.waitForExit() == 1)
  }

  @Test func `the terminal is restored while the watch is stopped`() throws {
    let arguments = place.shellArguments(
      ["test", "--watch", "--colour", "never", "."],
      before: "set -m; ",
      after: "; stty -a | grep -o '.icanon'; fg > /dev/null"
    )
    let terminal = try TerminalSession(
      "/bin/sh",
      arguments: arguments,
      environment: place.environment
    )
    try terminal.wait(forLine: Self.keysWhileFailing)
    #expect(!terminal.isCooked)
    try terminal.type("\u{1A}")
    try terminal.wait(forLine: " icanon")
    try terminal.wait(for: "the line of keys, below it") { screen in
      screen.text.suffix(2) == [" icanon", Self.keysWhileFailing]
    }
    try press("a", in: terminal, until: ["everything again"])
    try terminal.type("q")

    #expect(try terminal.waitForExit() == 1)
  }

  @Test func `the watch ends when the pipe of its output closes`() throws {
    let outcome = try place.rehearse(
      "test",
      "--watch",
      ".",
      after: " | head -1"
    )

    #expect(outcome.output == "b.transcript:2: output differs\n")
  }
}
