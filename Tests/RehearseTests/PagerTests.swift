import LineEditing
import PseudoTerminal
import Testing

/// Output that is longer than two screens is shown by a pager, on a terminal only.
@Suite(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
struct PagerTests {
  /// A folder with a pager that prints `paged` and the first line.
  private func place() throws -> Workplace {
    let place = try Workplace()
    try place.write("pager", "echo paged\nhead -n 1\n")
    return place
  }

  private func isPaged(
    _ command: String,
    environment: [String: String] = [:],
    arguments: [String] = [],
    rows: Int = 10
  ) throws -> Bool {
    let place = try place()
    // A shell reads the file: a new file cannot be executed while a process forked meanwhile has it open.
    let pager = ["PAGER": "sh \(place.path)/pager"]
    let terminal = try place.terminal(
      arguments,
      environment: pager.merging(environment) { $1 },
      rows: rows
    )
    try terminal.enter(command)
    #expect(try terminal.quit() == 0)
    return terminal.screen.text.contains("paged")
  }

  @Test func `output is paged if it is longer than two screens`() throws {
    #expect(try isPaged("help"))
    #expect(try !isPaged("list"))
    // 'help' has more lines than one screen of these rows, and fewer than two.
    #expect(try !isPaged("help", rows: 70))
  }

  @Test func `the prompt of less says how to return`() throws {
    let place = try Workplace()
    try place.write("pager", "echo \"LESS is $LESS\"\nhead -n 1\n")
    let terminal = try place.terminal(
      environment: ["PAGER": "sh \(place.path)/pager"],
      rows: 10
    )
    try terminal.enter("help")
    #expect(try terminal.quit() == 0)
    let text = String(decoding: terminal.written, as: UTF8.self)
    #expect(text.contains("LESS is -FRX -Pspress q to return to rehearse"))
  }

  @Test func `output of a command that changes the session is not paged`() throws {
    #expect(try !isPaged("source /dev/null"))
  }

  @Test func `a flag or a variable turns the pager off`() throws {
    #expect(try !isPaged("help", arguments: ["--no-pager"]))
    #expect(try !isPaged("help", environment: ["REHEARSE_PAGER": "never"]))
    #expect(try !isPaged("help", environment: ["PAGER": ""]))
  }

  @Test func `output is not paged in a pipe`() throws {
    let place = try place()
    let outcome = try place.rehearse(
      input: "help\n",
      environment: ["PAGER": "\(place.path)/pager"]
    )
    #expect(!outcome.output.contains("paged"))
    #expect(outcome.lines.count > 24)
  }

  @Test(arguments: [
    ("nothing-is-called-so", "cannot be started"), ("false", "ended with status 1"),
    ("exec no-such | cat >/dev/null; exit 7", "ended with status 7"),
  ])
  func `if a pager is missing or fails, a note says so and the text is printed`(
    pager: String,
    reason: String
  ) throws {
    let terminal = try Workplace().terminal(environment: ["PAGER": pager], rows: 12)
    try terminal.enter("help")
    try terminal.enter("now")
    #expect(try terminal.quit() == 0)
    let text = String(decoding: terminal.written, as: UTF8.self)
    #expect(text.contains("note: pager '\(pager)' \(reason)"))
    #expect(text.contains("Creates a loadable"))
    #expect(terminal.screen.text.contains("  0.000s"))
  }

  @Test func `Ctrl-C in the pager goes to the pager, and the next command runs`() throws {
    let place = try Workplace()
    // A loop, because a shell that is about to 'read' may note a signal and still wait. Ctrl-C drops output that has
    // not yet reached the terminal, even the end of a line.
    let loop = "while :; do sleep 0.05; done"
    try place.write("pager", "trap 'echo; echo interrupted; exit 0' INT\necho ready\n\(loop)\n")
    let terminal = try place.terminal(environment: ["PAGER": "sh \(place.path)/pager"], rows: 10)
    try terminal.enter("help", until: "ready")
    try terminal.type("\u{3}")
    try terminal.wait(forLine: "interrupted")
    try terminal.enter("wait 1s")
    try terminal.enter("now")
    #expect(terminal.screen.text.contains("  1.000s"))
    #expect(try terminal.quit() == 0)
  }
}
