import LineEditing
import PseudoTerminal
import Testing

/// The shell in a terminal, used as in the README.
@Suite(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
struct PromptTests {
  private static let exchange = """
    > loadable profile: String
    > load profile "old" after 3s uncancellable
         0.000s  profile  absent → loading #1
    > wait 1s
    > load profile "new" after 1s
         1.000s  profile  loading #1 → loading #2
    > settle
         2.000s  profile  loading #2 → loaded "new"
         3.000s  profile  #1 answered "old"; too late, dropped
    """

  private static let screen =
    ["rehearse 0.1.0. 'help' lists the commands, Ctrl-D leaves."]
    + exchange.split(separator: "\n").map(String.init) + [">"]

  @Test func `the shell prints the same as a transcript`() throws {
    let terminal = try Workplace().terminal()
    for line in Self.exchange.split(separator: "\n") where line.hasPrefix("> ") {
      try terminal.enter(String(line.dropFirst(2)))
    }

    #expect(terminal.screen.text == Self.screen)
    try terminal.type("\u{4}")
    #expect(try terminal.waitForExit() == 0)
  }

  @Test func `pasted output and fences are skipped`() throws {
    let terminal = try Workplace().terminal()
    try terminal.waitForPrompt()
    let paste = "```\r> loadable a\r> list\r  a  nothing\r  b  nothing\r```\r> now\r  9.000s"
    try terminal.type("\u{1B}[200~" + paste + "\u{1B}[201~")
    try terminal.wait(forLine: "  0.000s")
    try terminal.waitForPrompt()
    #expect(!terminal.screen.text.contains { $0.contains("nothing") || $0.contains("```") })
    #expect(!terminal.screen.text.contains { $0.contains("9.000s") || $0.contains("error") })
  }

  @Test func `an exchange may be pasted with its prompts and its output`() throws {
    let terminal = try Workplace().terminal()
    try terminal.waitForPrompt()
    try terminal.type(Self.exchange.replacing("\n", with: "\r") + "\r")
    try terminal.wait(for: "the end of the exchange") {
      $0.text.contains(#"     3.000s  profile  #1 answered "old"; too late, dropped"#)
    }
    try terminal.enter("list", until: "  profile: String  loaded \"new\"")

    #expect(!terminal.screen.text.contains { $0.contains("error") })
    #expect(try terminal.quit() == 0)
  }

  @Test func `Tab completes commands, members, clauses and files`() throws {
    let place = try Workplace()
    try place.write("scenario.rehearse", "loadable sourced\n")
    try place.makeFolder("my tests")
    try place.write("my tests/a b.rehearse", "loadable quoted\n")
    let terminal = try place.terminal()
    try terminal.enter("loadable profile")
    for (typed, completed) in [
      ("canc\t", "> cancel "), ("pr\t", "> cancel profile "), ("\u{3}", "> "),
      ("load profile 1 unca\t", "> load profile 1 uncancellable "), ("\u{3}", "> "),
      ("source my\t", "> source \"my tests/"),
      ("a\t", "> source \"my tests/a b.rehearse\" "), ("\r", "> "),
      ("source scen\t", "> source scenario.rehearse "),
    ] {
      try terminal.type(typed)
      try terminal.wait(forInput: completed)
    }
    try terminal.type("\r")
    try terminal.enter("list", until: "  sourced  absent")
    #expect(terminal.screen.text.contains("  quoted  absent"))
  }

  @Test func `Ctrl-C drops a line or an open command, and Ctrl-D exits only from an empty line`()
    throws
  {
    let terminal = try Workplace().terminal()
    try terminal.waitForPrompt()
    try terminal.type("lod\u{4}")
    try terminal.wait(forInput: "> lod")
    try terminal.type("\u{3}")
    try terminal.waitForPrompt()
    try terminal.type("loadable n = [1,\r")
    try terminal.wait(forInput: ". ")
    try terminal.type("\u{3}")
    try terminal.waitForPrompt()
    try terminal.enter("list", until: "  no members yet; try 'loadable profile: String'")
    try terminal.waitForPrompt()
    try terminal.type("loadable n = [1,\r")
    try terminal.wait(forInput: ". ")
    try terminal.type("\u{4}")
    try terminal.wait(forLine: "  error: the array is never closed")
    try terminal.waitForPrompt()
    try terminal.type("\u{4}")

    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.isCooked)
  }

  @Test func `a timeline is as wide as the terminal, also after a resize`() throws {
    let terminal = try Workplace().terminal(columns: 60)
    for command in ["loadable n", "load n 1 after 1s", "settle", "timeline"] {
      try terminal.enter(command)
    }
    let narrow = try #require(terminal.screen.text.first { $0.contains("├") })
    terminal.resize(rows: 24, columns: 100)
    try terminal.enter("timeline")
    let wide = try #require(terminal.screen.text.last { $0.contains("├") })

    #expect(narrow.count <= 60)
    #expect((61...100).contains(wide.count))
  }
}
