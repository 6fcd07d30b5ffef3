import LineEditing
import PseudoTerminal
import Testing

/// Long output goes through a pager, on a terminal and nowhere else.
@Suite(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
struct PagerTests {
  /// A pager that says that it is one, and shows the first line only.
  private func place() throws -> Workplace {
    let place = try Workplace()
    try place.write("pager", "echo paged\nhead -n 1\n")
    return place
  }

  private func isPaged(
    _ command: String,
    environment: [String: String] = [:],
    arguments: [String] = []
  ) throws -> Bool {
    let place = try place()
    // By its shell: a file just written cannot be executed while a process forked meanwhile has it open.
    let pager = ["PAGER": "sh \(place.path)/pager"]
    let terminal = try place.terminal(
      arguments,
      environment: pager.merging(environment) { $1 },
      rows: 10
    )
    try terminal.enter(command)
    #expect(try terminal.quit() == 0)
    return terminal.screen.text.contains("paged")
  }

  @Test func `what is longer than the screen is paged, and what is not is not`() throws {
    #expect(try isPaged("help"))
    #expect(try !isPaged("list"))
  }

  @Test func `a command that does something is never paged`() throws {
    #expect(try !isPaged("source /dev/null"))
  }

  @Test func `paging can be refused by a flag, a variable, and a terminal that cannot`() throws {
    #expect(try !isPaged("help", arguments: ["--no-pager"]))
    #expect(try !isPaged("help", environment: ["REHEARSE_PAGER": "never"]))
    #expect(try !isPaged("help", environment: ["PAGER": ""]))
  }

  @Test func `nothing is paged in a pipe`() throws {
    let place = try place()
    let outcome = try place.rehearse(
      input: "help\n",
      environment: ["PAGER": "\(place.path)/pager"]
    )
    #expect(!outcome.output.contains("paged"))
    #expect(outcome.lines.count > 24)
  }

  @Test(arguments: [
    ("nothing-is-called-so", "it cannot be started"), ("false", "it ended with status 1"),
    ("exec no-such | cat >/dev/null; exit 7", "it ended with status 7"),
  ])
  func `a pager that is missing or fails is told of, and the text is shown without it`(
    pager: String,
    reason: String
  ) throws {
    let terminal = try Workplace().terminal(environment: ["PAGER": pager], rows: 12)
    try terminal.enter("help")
    try terminal.enter("now")
    #expect(try terminal.quit() == 0)
    let text = String(decoding: terminal.written, as: UTF8.self)
    #expect(text.contains("note: no pages by '\(pager)': \(reason)"))
    #expect(text.contains("Creates a loadable"))
    #expect(terminal.screen.text.contains("  0.000s"))
  }

  @Test func `Ctrl-C in the pager is the pager's, and the next command runs`() throws {
    let place = try Workplace()
    // A shell that is about to 'read' may note a signal and wait all the same. What is on its way to the terminal is
    // lost with Ctrl-C, be it the end of a line.
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
