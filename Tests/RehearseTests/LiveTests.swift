import LineEditing
import PseudoTerminal
import Testing

/// The live mode. The tests control the real time.
@Suite(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
struct LiveTests {
  /// A shell that reads the real time from a file.
  private final class Live {
    let place: Workplace
    let terminal: TerminalSession

    init(_ arguments: String..., pager: String = "", columns: Int = 80) throws {
      place = try Workplace(program: "TroubleShell")
      try place.write("clock.ms", "0")
      try place.write("pager", pager)
      terminal = try place.terminal(
        arguments,
        environment: [
          "MADE_TIME": place.path + "/clock.ms",
          "PAGER": pager.isEmpty ? "" : "sh \(place.path)/pager",
        ],
        columns: columns
      )
    }

    func now(_ milliseconds: Int) throws { try place.write("clock.ms", "\(milliseconds)") }

    /// Returns whether a recorded transcript replays.
    func replays(_ name: String) throws -> Bool {
      try place.rehearse("test", name).output == "1 passed\n"
    }
  }

  @Test func `events appear above the prompt, and the session replays`() throws {
    let live = try Live("record", "a.transcript")
    let terminal = live.terminal
    for command in ["clock live", "loadable a", "load a yielding 1 after 250ms, 2 after 1s"] {
      try terminal.enter(command)
    }
    try live.now(300)
    try terminal.wait(forLine: "     0.250s  a  loading #1 → loaded 1, #1 continues")
    try terminal.type("lis")
    try live.now(1400)
    try terminal.wait(forLine: "     1.250s  a  #1 ended after 2 yields; stays loaded 2")
    try terminal.wait(forInput: "> lis")
    try terminal.type("t\r")
    try terminal.wait(forLine: "  a  loaded 2")
    try terminal.waitForPrompt()
    try live.now(2000)
    try terminal.enter("now", until: "  2.000s")
    #expect(try terminal.quit() == 0)

    #expect(
      live.place.read("a.transcript") == """
        > loadable a
        > load a yielding 1 after 250ms, 2 after 1s
             0.000s  a  absent → loading #1
        > wait 250ms
             0.250s  a  loading #1 → loaded 1, #1 continues
        > wait 1s
             1.250s  a  loaded 1 → loaded 2, #1 continues
             1.250s  a  #1 ended after 2 yields; stays loaded 2
        > wait 150ms
        > list
          a  loaded 2
        > wait 600ms
        > now
          2.000s
        > quit

        """
    )
    #expect(try live.replays("a.transcript"))
  }

  @Test func `the status line shows the time and running loads`() throws {
    let live = try Live()
    let terminal = live.terminal
    for command in ["loadable a", "clock live", "load a never"] { try terminal.enter(command) }
    try live.now(1300)
    try terminal.wait(forLine: "1.300s live · a #1")
    try terminal.enter(
      "clock virtual",
      until: "  virtual: only commands advance time"
    )
    try live.now(9000)
    try terminal.enter("now", until: "  1.300s")
    #expect(!terminal.screen.text.contains { $0.contains(" live · ") })
  }

  @Test func `undo removes the time that has passed since`() throws {
    let live = try Live("record", "a.transcript")
    let terminal = live.terminal
    for command in ["loadable a", "clock live", "load a 1 after 1s"] { try terminal.enter(command) }
    try live.now(1500)
    try terminal.wait(forLine: "     1.000s  a  loading #1 → loaded 1")
    try terminal.enter("undo", until: "  undone: load a 1 after 1s")
    #expect(try terminal.quit() == 0)
    #expect(live.place.read("a.transcript") == "> loadable a\n> quit\n")
  }

  @Test func `time does not flow during a command or without a prompt`() throws {
    let live = try Live()
    try live.terminal.enter("clock live")
    try live.terminal.enter("wait 5s")
    try live.terminal.enter("now", until: "  5.000s")

    let outcome = try live.place.rehearse(input: "clock live\nnow\n")
    #expect(
      outcome.output.hasPrefix(
        "> clock live\n  time passes by itself only at a prompt; here only commands advance it\n"
      )
    )
  }

  @Test func `time does not flow between the lines of a command`() throws {
    let live = try Live()
    let terminal = live.terminal
    for command in ["clock live", "loadable a", "loadable b", "load a 1 after 1s"] {
      try terminal.enter(command)
    }
    try terminal.type("set b loaded [\r")
    try terminal.wait(forInput: ". ")
    try live.now(1500)
    try terminal.type("1\r")
    // The previous line looks the same until this one is read.
    try terminal.wait(forLine: ". 1")
    try terminal.wait(forInput: ". ")
    try terminal.type("]\r")
    try terminal.wait(forLine: "     1.000s  a  loading #1 → loaded 1")
    try terminal.waitForPrompt()
    let rows = terminal.screen.text
    let start = try #require(rows.firstIndex(of: "> set b loaded ["))
    #expect(
      Array(rows[start...].prefix(4))
        == ["> set b loaded [", ". 1", ". ]", "     1.000s  a  loading #1 → loaded 1"]
    )
  }

  @Test func `a picture is drawn for a terminal that has become narrower`() throws {
    let live = try Live(columns: 100)
    let terminal = live.terminal
    for command in ["loadable a", "load a never"] { try terminal.enter(command) }
    try terminal.type("watch for 1h\r")
    try terminal.wait(for: "the first picture") { $0.text.contains { $0.contains("┣#1") } }
    terminal.resize(rows: 20, columns: 50)
    try live.now(700)
    try terminal.wait(for: "a picture of 50 columns") {
      $0.text.contains { $0.hasPrefix("  a  ┣") && $0.hasSuffix("▶  loading") }
    }
    try terminal.type("\u{3}")
    try terminal.waitForPrompt()
  }

  @Test func `time does not flow while the pager runs`() throws {
    let live = try Live(pager: "cat >/dev/null; echo 5000 >clock.ms; echo seen")
    try live.terminal.enter("clock live")
    try live.terminal.enter("help", until: "seen")
    try live.terminal.enter("now", until: "  0.000s")
  }

  @Test func `a picture is redrawn in place until Ctrl-C stops it`() throws {
    let live = try Live("record", "a.transcript", columns: 60)
    let terminal = live.terminal
    for command in ["loadable a", "load a yielding 1 after 1s, 2 after 1s, 3 after 9s"] {
      try terminal.enter(command)
    }
    try terminal.type("watch a\r")
    try terminal.wait(for: "the first picture") { $0.text.contains { $0.contains("┣#1") } }
    try live.now(1200)
    try terminal.wait(forLine: "     1.000s  a  loading #1 → loaded 1, #1 continues")
    try terminal.wait(for: "a picture") { $0.text.contains { $0.hasPrefix("  a  ┣") } }
    try live.now(2500)
    try terminal.wait(forLine: "     2.000s  a  loaded 1 → loaded 2, #1 continues")
    // The scale is drawn before the lane.
    try terminal.wait(for: "a picture of half a second more") { screen in
      screen.text.contains { $0.contains("2.5s") }
        && screen.text.contains { $0.hasPrefix("  a  ┣") }
    }
    #expect(terminal.screen.text.count { $0.hasPrefix("  a  ┣") } == 1)
    try terminal.type("\u{3}")
    try terminal.waitForPrompt()
    #expect(terminal.screen.text.count { $0.hasPrefix("  a  ┣") } == 1)
    try terminal.enter("now", until: "  2.500s")
    #expect(try terminal.quit() == 0)

    #expect(live.place.read("a.transcript").contains("\n> watch a for 2.5s\n"))
    #expect(try live.replays("a.transcript"))
  }

  @Test func `a key also stops the picture, and is part of the next command`() throws {
    let live = try Live("record", "a.transcript")
    let terminal = live.terminal
    for command in ["loadable a", "load a never"] { try terminal.enter(command) }
    try terminal.type("watch for 1h\r")
    try terminal.wait(for: "the first picture") { $0.text.contains { $0.contains("┣#1") } }
    try live.now(700)
    try terminal.wait(for: "a picture") { $0.text.contains { $0.contains("700ms") } }
    try terminal.type("now\r")
    try terminal.wait(forLine: "  0.700s")
    #expect(try terminal.quit() == 0)

    #expect(live.place.read("a.transcript").contains("\n> watch for 700ms\n"))
    #expect(try live.replays("a.transcript"))
  }

  @Test func `long work shows its progress on one line that disappears`() throws {
    let live = try Live()
    let terminal = live.terminal
    try terminal.enter("loadable feed")
    try terminal.enter("load feed never interrupt after 1s do retry feed")
    try live.place.write("many.rehearse", String(repeating: "wait 10h\n", count: 300))
    try terminal.type("source many.rehearse\r")
    try terminal.wait(for: "a note") { $0.text.contains { $0.contains(" · Ctrl-C stops") } }
    try terminal.type("\u{3}")
    try terminal.waitForPrompt()
    #expect(!terminal.screen.text.contains { $0.contains(" · Ctrl-C stops") })
  }
}
