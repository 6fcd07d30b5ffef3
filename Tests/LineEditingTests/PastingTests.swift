import LineEditing
import PseudoTerminal
import Testing

@Suite(.enabled(if: LineEditor.isBuiltIn)) struct PastingTests {
  @Test func `pasted lines are returned one by one, and the last one can be edited`() throws {
    let terminal = try Prompt().terminal
    try terminal.type(Key.paste("one\rtw\to\rthree"))
    try terminal.wait(
      forScreen: ["> one", "line: [one]", "> tw  o", "line: [tw  o]", "> three"]
    )
    try terminal.type("!" + Key.enter)
    try terminal.wait(forLine: "line: [three!]")
  }

  @Test func `a paste is inserted at the caret`() throws {
    let terminal = try Prompt().terminal
    try terminal.type("ad" + Key.left + Key.paste("bc"))
    try terminal.wait(forInput: "> abcd", column: 5)
  }

  @Test func `Ctrl-C during a command drops the rest of the paste`() throws {
    let terminal = try Prompt().terminal
    try terminal.type(Key.paste("run\rnever\r"))
    try terminal.wait(forLine: "running")
    try terminal.type(Key.control("c"))
    try terminal.wait(forScreen: ["> run", "running", "cancelled", ">"])
  }

  @Test func `a terminal that does not mark pastes loses nothing`() throws {
    let prompt = try Prompt()
    let lines = (1...50).map { "line \($0)" } + ["quit"]
    try prompt.terminal.type(lines.map { $0 + Key.enter }.joined())
    #expect(try prompt.terminal.waitForExit() == 0)
    #expect(try prompt.folder.read("history") == lines.map { $0 + "\n" }.joined())
  }

  @Test func `a long paste arrives whole`() throws {
    let terminal = try Prompt(rows: 50, columns: 200).terminal
    let text = (1...1000).map { "word\($0)" }.joined(separator: " ")
    try terminal.type(Key.paste(text + "\r"))
    try terminal.wait(for: "the end of the line") { $0.text.contains { $0.hasSuffix("word1000]") } }
  }
}
