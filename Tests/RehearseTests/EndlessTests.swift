import LineEditing
import PseudoTerminal
import Testing

/// Endless commands: they end at a limit or by Ctrl-C.
@Suite struct EndlessTests {
  private static let endless = """
    loadable feed
    load feed never interrupt after 1s do retry feed

    """

  @Test func `a session that never settles is stopped with a short reason`() throws {
    let outcome = try Workplace().rehearse(input: Self.endless + "settle\ncancel feed\nlist\n")

    #expect(outcome.lines.count < 1_100)
    #expect(outcome.output.contains("  error: more than 10000 instants by 10000s"))
    #expect(outcome.output.hasSuffix("> list\n  feed  absent\n"))
    #expect(outcome.code == 1)
  }

  @Test func `a thousand retries with growing pauses end at the time limit`() throws {
    let outcome = try Workplace().rehearse(
      input: """
        loadable n
        load n fail "busy" retry 1000 backoff 1ms
        settle
        step
        cancel n
        settle
        list

        """
    )

    #expect(outcome.output.contains("  error: the next event is after the end of time\n"))
    #expect(outcome.lines.count < 100)
    #expect(outcome.output.hasSuffix("> settle\n> list\n  n  absent\n"))
  }

  @Test(
    .enabled(if: LineEditor.isBuiltIn, "built without line editing"),
    arguments: [
      "wait 100000h", "settle within 100000h", "source forever.rehearse",
      "expect feed loaded 1 within 100000h", "expect feed never error within 100000h",
    ]
  )
  func `Ctrl-C ends only the running command`(command: String) throws {
    let place = try Workplace()
    try place.write("forever.rehearse", "wait 100000h\nloadable later\n")
    let terminal = try place.terminal()
    for line in Self.endless.split(separator: "\n") { try terminal.enter(String(line)) }
    try terminal.enter(command, until: "    20.000s  feed  loading #20 → loading #21")

    try terminal.type("\u{3}")
    try terminal.wait(for: "a word about it") {
      $0.text.contains { $0.contains("error: interrupted at ") }
    }
    try terminal.enter("cancel feed")
    try terminal.enter("list", until: "  feed  absent")

    #expect(!terminal.screen.text.contains { $0.hasPrefix("  later") })
    #expect(!terminal.screen.text.contains("  ok"))
    #expect(try terminal.quit() == 0)
  }
}
