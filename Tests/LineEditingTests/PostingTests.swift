import LibC
import LineEditing
import PseudoTerminal
import Testing

@Suite(.enabled(if: LineEditor.isBuiltIn)) struct PostingTests {
  @Test func `a message appears above the line that is being typed`() throws {
    let terminal = try ready(posting: ["first", "two_lines"])
    try terminal.type("half a line" + Key.left)
    try terminal.wait(forInput: "> half a line", column: 12)
    terminal.send(signal: SIGUSR1)
    try terminal.wait(forInput: "> half a line", column: 12)
    try terminal.wait(forLine: "first")
    terminal.send(signal: SIGUSR1)
    try terminal.wait(for: "both") {
      $0.text.suffix(4) == ["first", "two", "lines", "> half a line"] && $0.cursorColumn == 12
    }
    try terminal.type("X" + Key.enter)
    try terminal.wait(forLine: "line: [half a linXe]")
  }

  @Test func `a message redraws a line of several rows and wide letters completely`() throws {
    let terminal = try ready(posting: ["first"], columns: 20)
    try terminal.type("1234567890123456 日本語 and some more" + Key.left + Key.left)
    let rows = ["> 1234567890123456", "日本語 and some more"]
    try terminal.wait(for: "three rows") { $0.text.suffix(2) == rows[...] }
    terminal.send(signal: SIGUSR1)
    try terminal.wait(for: "the message") { $0.text.suffix(3) == ["first"] + rows }
    #expect(terminal.screen.text.count == 6)
  }

  @Test func `a message does not end a search`() throws {
    let terminal = try ready(posting: ["first"])
    try terminal.type(Key.control("r") + "post")
    try terminal.wait(forLine: "bck:post")
    terminal.send(signal: SIGUSR1)
    try terminal.wait(for: "the message") {
      $0.text.suffix(3) == ["first", "> post-on-signal first", "bck:post"]
    }
  }

  @Test func `a message removes a list of candidates`() throws {
    let terminal = try ready(posting: ["first"])
    try terminal.type("c" + Key.tab)
    try terminal.wait(forLine: "  create  make a thing")
    terminal.send(signal: SIGUSR1)
    try terminal.wait(for: "the message") { $0.text.suffix(2) == ["first", "> c"] }
  }

  @Test func `messages during a command are printed at once`() throws {
    let terminal = try ready(posting: ["first"])
    try terminal.type("run" + Key.enter)
    try terminal.wait(forLine: "running")
    terminal.send(signal: SIGUSR1)
    try terminal.wait(for: "the message") { $0.text.suffix(2) == ["running", "first"] }
  }

  @Test func `a narrower or wider window shows the line once`() throws {
    let terminal = try Prompt(columns: 60).terminal
    let text = "a line of a length that will need two rows"
    try terminal.type(text)
    try terminal.wait(forInput: "> " + text)
    terminal.resize(rows: 24, columns: 90)
    try terminal.type("!")
    try terminal.wait(forScreen: ["> " + text + "!"])
    try terminal.type(Key.enter)
    try terminal.wait(forLine: "line: [\(text)!]")
  }

  private func ready(posting messages: [String], columns: Int = 60) throws -> TerminalSession {
    let terminal = try Prompt(columns: columns).terminal
    try terminal.type("post-on-signal " + messages.joined(separator: " ") + Key.enter)
    try terminal.wait(forLine: "ready")
    try terminal.wait(forInput: "> ")
    return terminal
  }
}
