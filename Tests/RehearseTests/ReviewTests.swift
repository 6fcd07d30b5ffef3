import Foundation
import LineEditing
import PseudoTerminal
import Testing

/// Pending results of 'test', at a terminal and in scripts.
@Suite(.serialized) struct ReviewTests {
  private let place: Workplace
  private let text = "> now\n  1.000s\n> loadable n\n> list\n  m\n"
  private let accepted = "> now\n  0.000s\n> loadable n\n> list\n  n  absent\n"

  init() throws {
    place = try Workplace()
    try place.write("a.transcript", text)
    try place.write("b.transcript", "> now\n  2.000s\n")
    #expect(try place.rehearse("test", ".").code == 1)
    #expect(try pending() == ["a.transcript.pending", "b.transcript.pending"])
  }

  private func pending() throws -> [String] {
    try place.names().filter { $0.hasSuffix(".pending") }
  }

  private func terminal(rows: Int = 24, columns: Int = 80) throws -> TerminalSession {
    let terminal = try place.terminal(
      ["review", "--colour", "never"],
      rows: rows,
      columns: columns
    )
    try terminal.wait(for: "the first") { $0.text.contains { $0.hasPrefix("a.transcript:2") } }
    return terminal
  }

  private func ended(_ terminal: TerminalSession, _ summary: String) throws -> Int32 {
    let code = try terminal.waitForExit()
    let text = String(decoding: terminal.written, as: UTF8.self)
    #expect(text.contains(summary + "\r\n"))
    #expect(text.contains("\u{1B}[?1049l"))
    return code
  }

  // MARK: At a terminal

  @Test func `one key accepts or rejects, and the next result is shown`() throws {
    let terminal = try terminal()
    try terminal.wait(forLine: "only times differ (each 1s earlier)")
    try terminal.type("a")
    try terminal.wait(forLine: "> list")
    #expect(place.read("a.transcript") == text.replacingOccurrences(of: "1.000s", with: "0.000s"))
    try terminal.type("a")
    try terminal.wait(for: "the other file") { $0.text.contains { $0.hasPrefix("b.transcript:2") } }
    try terminal.type("r")

    #expect(try ended(terminal, "2 accepted, 1 rejected, 0 left") == 0)
    #expect(place.read("a.transcript") == accepted)
    #expect(place.read("b.transcript") == "> now\n  2.000s\n")
    #expect(try pending() == [])
  }

  @Test func `quitting keeps the decisions, and the rest stays pending`() throws {
    let terminal = try terminal()
    try terminal.type("aq")

    #expect(try ended(terminal, "1 accepted, 0 rejected, 2 left") == 1)
    #expect(try place.rehearse("accept", "--all").code == 0)
    #expect(place.read("a.transcript") == accepted)
  }

  @Test func `a decision can be undone, also on disk`() throws {
    let terminal = try terminal()
    try terminal.type("a")
    try terminal.wait(forLine: "> list")
    try terminal.type("u")
    try terminal.wait(forLine: "> now")
    #expect(place.read("a.transcript") == text)
    try terminal.type("uq")

    #expect(try ended(terminal, "0 accepted, 0 rejected, 3 left") == 1)
  }

  @Test func `two keys accept or reject a whole file or everything`() throws {
    let terminal = try terminal()
    try terminal.type("A")
    try terminal.wait(for: "the question") { $0.text.contains { $0.hasPrefix("accept all: f of") } }
    try terminal.type("x")
    try terminal.type("Af")
    try terminal.wait(for: "the other file") { $0.text.contains { $0.hasPrefix("b.transcript:2") } }
    #expect(place.read("a.transcript") == accepted)
    try terminal.type("Ra")

    #expect(try ended(terminal, "2 accepted, 1 rejected, 0 left") == 0)
  }

  @Test func `old output, new output, both and the help are shown`() throws {
    let terminal = try terminal()
    try terminal.type("o")
    try terminal.wait(for: "the old alone") { !$0.text.contains { $0.hasPrefix("+") } }
    try terminal.type("n")
    try terminal.wait(for: "the new alone") { !$0.text.contains { $0.hasPrefix("-") } }
    try terminal.type("b")
    try terminal.wait(for: "both") {
      $0.text.contains("-  1.000s") && $0.text.contains("+  0.000s")
    }
    try terminal.type("?")
    try terminal.wait(for: "help") {
      $0.text.contains { $0.hasPrefix("s  leave it for another day") }
    }
    try terminal.type("j")
    try terminal.wait(forLine: "> list")
    try terminal.type("\u{1B}[A")
    try terminal.wait(forLine: "> now")
    try terminal.type("q")
    #expect(try terminal.waitForExit() == 1)
  }

  @Test func `a resized terminal is drawn again`() throws {
    let terminal = try terminal()
    terminal.resize(rows: 12, columns: 30)
    try terminal.wait(for: "narrow") { $0.text.contains("a yes  r no  s skip  ? help") }
    terminal.resize(rows: 24, columns: 100)
    try terminal.wait(for: "wide") { $0.text.contains { $0.hasSuffix("? help  q quit") } }
    try terminal.type("q")
    #expect(try terminal.waitForExit() == 1)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a signal ends the review, restores the terminal and keeps the decisions`(signal: Int32)
    throws
  {
    let terminal = try terminal()
    try terminal.type("a")
    try terminal.wait(forLine: "> list")
    terminal.send(signal: signal)

    #expect(try ended(terminal, "1 accepted, 0 rejected, 2 left") == -signal)
    #expect(try place.rehearse("accept", "--all").code == 0)
    #expect(place.read("a.transcript") == accepted)
  }

  @Test func `Ctrl-C also ends the review`() throws {
    let terminal = try terminal()
    try terminal.type("\u{3}")
    #expect(try ended(terminal, "0 accepted, 0 rejected, 3 left") == 1)
  }

  @Test func `a file that was changed meanwhile is not touched`() throws {
    let terminal = try terminal()
    try place.write("a.transcript", text + "# more\n")
    try terminal.type("a")
    try terminal.wait(for: "a word") {
      $0.text.contains { $0.contains("the file has changed since") }
    }
    try terminal.type("a")

    #expect(try ended(terminal, "1 accepted, 0 rejected, 2 left") == 1)
    #expect(place.read("a.transcript") == text + "# more\n")
    #expect(place.read("b.transcript") == "> now\n  0.000s\n")
  }

  // MARK: Without a terminal

  @Test func `without a terminal, pending results are listed`() throws {
    let outcome = try place.rehearse("review")

    #expect(outcome.code == 1)
    #expect(outcome.lines.contains("to accept: rehearse accept a.transcript:5"))
    #expect(outcome.lines.contains("3 pending in 2 files"))
    let lines = try place.rehearse("review", "--json", "a.transcript").lines
    #expect(lines.count == 4)
    #expect(
      lines[2].hasPrefix(#"{"type": "pending", "path": "a.transcript", "line": 5, "first": 4"#)
    )
    #expect(lines[3] == #"{"type": "end", "ok": false, "pending": 2}"#)
  }

  @Test func `a script accepts the command that a line belongs to`() throws {
    let outcome = try place.rehearse("accept", "a.transcript:4")

    #expect(outcome.code == 0)
    #expect(outcome.output == "accepted 1 in a.transcript, 1 left\n")
    #expect(place.read("a.transcript") == text.replacingOccurrences(of: "  m", with: "  n  absent"))
    #expect(try place.rehearse("reject", "a.transcript").output == "rejected 1 in a.transcript\n")
    #expect(try pending() == ["b.transcript.pending"])
    #expect(try place.rehearse("accept", "--all").code == 0)
    #expect(
      try place.rehearse("review").output == """
        nothing is pending
        note: this does not say that transcripts pass; 'rehearse test' does\n
        """
    )
    #expect(try place.rehearse("review").code == 0)
  }

  @Test func `a wrong path or line is named, and nothing is changed`() throws {
    let line = try place.rehearse("accept", "a.transcript:3", "b.transcript")
    #expect(line.code == 2)
    #expect(
      line.errors == """
        error: a.transcript:3: nothing is pending at this line
        hint: it is at lines 2, 5\n
        """
    )
    #expect(try place.rehearse("accept", "c.transcript").code == 2)
    #expect(try place.rehearse("accept").code == 2)
    #expect(try pending().count == 2)
  }

  @Test(arguments: [["review"], ["accept", "--all"], ["reject", "a.transcript"]])
  func `an invalid folder of pending results is refused`(arguments: [String]) throws {
    let none = try place.rehearse(arguments + ["--pending", "none"], input: [])
    #expect(none.errors.contains("there is no folder 'none' with pending results"))
    #expect(none.code == 2)
    let file = try place.rehearse(arguments + ["--pending", "a.transcript"], input: [])
    #expect(file.errors.contains("--pending takes a folder, and 'a.transcript' is not one"))
    #expect(file.code == 2)
    #expect(try pending().count == 2)
  }

  @Test func `a pending result that is damaged is named, and replaced by the next run`() throws {
    try place.write("a.transcript.pending", "#: pending f")
    for arguments in [["review"], ["accept", "--all"], ["accept", "a.transcript"]] {
      let outcome = try place.rehearse(arguments, input: [])
      #expect(
        outcome.errors == """
          error: a.transcript: this is not a pending result
          hint: run the test again: rehearse test a.transcript; or remove it: rehearse reject a.transcript\n
          """
      )
      #expect(outcome.code == 1)
    }
    #expect(try place.rehearse("test", "a.transcript").code == 1)
    #expect(try place.rehearse("accept", "--all").output == "accepted 2 in a.transcript\n")
  }

  @Test(arguments: ["x", "", "#: pending for 0000000000000001 moved -9 9\n"], ["a", "gone"])
  func `a pending result that is damaged can be rejected, also where its file is gone`(
    content: String,
    name: String
  ) throws {
    for arguments in [["--all"], ["\(name).transcript"], ["\(name).transcript.pending"]] {
      try place.write("\(name).transcript.pending", content)
      let review = try place.rehearse("review", "\(name).transcript")
      #expect(review.errors.hasSuffix("remove it: rehearse reject \(name).transcript\n"))
      #expect(review.errors.contains("run the test again") == (name == "a"))
      #expect(review.code == 1)
      let outcome = try place.rehearse(["reject"] + arguments, input: [])
      #expect(outcome.output.contains("rejected 1 in \(name).transcript\n"))
      #expect(outcome.code == 0)
      #expect(try !pending().contains("\(name).transcript.pending"))
    }
  }

  @Test func `a user's file or pipe with the name of a pending result is not removed`() throws {
    try place.write("notes.pending", "mine")
    unlink(place.path + "/a.transcript.pending")
    mkfifo(place.path + "/a.transcript.pending", 0o600)
    let own = try place.rehearse("reject", "notes")
    #expect(own.errors == "error: notes: this is not a pending result\n")
    #expect(own.code == 1)
    let pipe = try place.rehearse("reject", "--all")
    #expect(
      pipe.errors == """
        error: a.transcript: the path of its pending result is not a regular file\n
        """
    )
    #expect(pipe.code == 2)
    #expect(try pending() == ["a.transcript.pending", "notes.pending"])
  }

  @Test func `nothing is accepted under CI without --force`() throws {
    let refused = try place.rehearse("accept", "--all", environment: ["CI": "true"])
    #expect(refused.code == 2)
    #expect(refused.errors.contains("add '--force'"))
    #expect(try place.rehearse("accept", "--all", "--force", environment: ["CI": "1"]).code == 0)
    #expect(place.read("a.transcript") == accepted)
  }

  @Test func `no pending results are written under CI, unless a folder is named`() throws {
    try place.write("c.transcript", "> now\n")
    let ci = ["CI": "true"]
    #expect(try place.rehearse("test", "c.transcript", environment: ci).code == 1)
    #expect(try pending().count == 2)
    #expect(
      try place.rehearse("test", "c.transcript", "--pending", "out", environment: ci).code == 1
    )
    #expect(place.read("out/c.transcript.pending").hasPrefix("#: pending for "))
    #expect(try place.rehearse("accept", "--pending", "out", "c.transcript:1").code == 0)
    #expect(place.read("c.transcript") == "> now\n  0.000s\n")
  }

  @Test func `a folder above the current one has its pending results`() throws {
    try place.write("c.transcript", "> now\n")
    _ = try place.rehearse("test", "c.transcript", "--pending", "out")

    #expect(try place.rehearse("accept", "--pending", "out", "..").code == 0)
    #expect(place.read("c.transcript") == "> now\n  0.000s\n")
  }

  @Test func `pending results of a missing file can only be rejected`() throws {
    unlink(place.path + "/a.transcript")
    let accepted = try place.rehearse("accept", "a.transcript")
    #expect(accepted.code == 1)
    #expect(
      accepted.errors == """
        error: a.transcript: the file that it belongs to does not exist
        hint: remove it: rehearse reject a.transcript\n
        """
    )
    #expect(try place.rehearse("reject", "a.transcript").code == 0)
    #expect(try pending() == ["b.transcript.pending"])
  }

  @Test func `a file that was changed since is not accepted, and the others are`() throws {
    try place.write("a.transcript", text + "# more\n")
    let outcome = try place.rehearse("accept", "--all")

    #expect(outcome.code == 1)
    #expect(outcome.output == "accepted 1 in b.transcript\n")
    #expect(outcome.errors.contains("hint: run the test again: rehearse test a.transcript"))
    #expect(place.read("a.transcript") == text + "# more\n")

    let review = try place.rehearse("review")
    #expect(review.code == 1)
    #expect(review.output == "")
    #expect(review.errors.contains("; or remove it: rehearse reject a.transcript"))
    let json = try place.rehearse("review", "--json").lines
    #expect(json.last == #"{"type": "end", "ok": false, "pending": 0}"#)
  }
}
