import LineEditing
import PseudoTerminal
import Testing

/// The shell's `explore`, which searches in workers as `rehearse explore` does.
@Suite struct ExploreSessionTests {
  private func shell(_ commands: String, program: String = "rehearse") throws -> Outcome {
    try Workplace(program: program).rehearse(input: commands)
  }

  @Test(arguments: [
    (0, "crashed, by a trap"), (1, "ended the process, with status 7"),
  ])
  func `a crash of a run does not end the session`(
    how: Int,
    what: String
  ) throws {
    let outcome = try shell("scene trouble\ntie \(how)\nexplore\nnow\n", program: "TroubleShell")

    #expect(outcome.code == 1)
    let headline = "error: 'settle' \(what), in 1 run, as in the transcript below"
    #expect(outcome.output.contains("\n  \(headline)"))
    #expect(outcome.output.contains("\n  > settle\n    error: \(what)\n"))
    #expect(outcome.lines.suffix(2) == ["> now", "  0.000s"])
  }

  @Test func `a killed search process is an error, and the session continues`() throws {
    let outcome = try shell("scene trouble\ntie 6\nexplore\nnow\n", program: "TroubleShell")

    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains("\n  error: the search process crashed, by a kill (signal 9)")
    )
    #expect(outcome.lines.suffix(2) == ["> now", "  0.000s"])
  }

  @Test(arguments: [
    "explore", "explore 99 random seed 7 disable no-stale-writes", "explore 99 pct",
  ])
  func `it prints the same as a replay, which searches in its own process`(explore: String) throws {
    let place = try Workplace()
    let loads = (1...2).map { "loadable m\($0)\nload m\($0) 1 after 1s\nin 1s cancel m\($0)\n" }
    let outcome = try place.rehearse(input: loads.joined() + "settle\n\(explore)\n")

    #expect(outcome.output.contains(" runs of the session, "))
    try place.write("a.transcript", outcome.output)
    #expect(try place.rehearse("test", "a.transcript").output == "1 passed\n")
  }

  @Test func `a session that has found a crash replays`() throws {
    let place = try Workplace(program: "TroubleShell")
    let session = try place.rehearse(input: "scene trouble\ntie 0\nexplore\nnow\n")
    try place.write("a.transcript", session.output)

    #expect(session.output.contains("error: 'settle' crashed"))
    #expect(
      try place.rehearse("test", "a.transcript").output == "1 passed (1 has commands that fail)\n"
    )
  }

  @Test func `paths are relative to the script`() throws {
    let place = try Workplace()
    try place.makeFolder("below")
    try place.write("below/a.json", "1")
    try place.write(
      "below/a.rehearse",
      "loadable a\nroute GET /a 200 file a.json\nload a from /a\nsettle\nexpect a loaded\nexplore\n"
    )
    let outcome = try place.rehearse("run", "below/a.rehearse")

    #expect(outcome.code == 0)
    #expect(!outcome.output.contains("not judged"))
  }

  @Test(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
  func `progress is shown, and Ctrl-C prints the findings`() throws {
    let terminal = try Workplace().terminal(rows: 60, columns: 120)
    try terminal.enter("loadable a")
    try terminal.enter("load a 1 after 1s")
    try terminal.enter("in 1s cancel a")
    try terminal.waitForPrompt()
    try terminal.type("explore 1000000 random\r")
    try terminal.wait(for: "progress") { screen in
      screen.text.contains { $0.contains(" runs · ") && $0.hasSuffix(" left · Ctrl-C stops") }
    }
    try terminal.type("\u{3}")
    try terminal.wait(forLine: "  error: interrupted at 0.000s")

    #expect(terminal.screen.text.contains { $0.contains(" runs of the session, ") })
    #expect(try terminal.quit() == 0)
  }

  @Test func `the subcommand for the search process is hidden`() throws {
    let place = try Workplace()
    let outcome = try place.rehearse("explore-session", input: "loadable a\n")

    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: 'explore-session' is for internal use"))
    #expect(!(try place.rehearse("--help").output.contains("explore-session")))
  }
}
