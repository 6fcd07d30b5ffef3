import LineEditing
import PseudoTerminal
import Testing

/// Colours, hints and explanations at the prompt.
@Suite(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
struct DressedPromptTests {
  @Test func `a line is coloured, and a dim hint follows it`() throws {
    let terminal = try Workplace().terminal()
    try terminal.enter("loadable profile: String")
    try terminal.type("cancel pro")
    try terminal.wait(forDressedRow: "> [1|cancel] pro[2|file]")
    try terminal.type("\t")
    try terminal.wait(forDressedRow: "> [1|cancel] [34|profile] [2|[caller]]")
    try terminal.type("x ")
    try terminal.wait(forDressedRow: "> [1|cancel] [34|profile] [31|x]")
  }

  @Test func `a continuation line is coloured as part of its command`() throws {
    let terminal = try Workplace().terminal()
    try terminal.waitForPrompt()
    try terminal.type("loadable n = [1,\r")
    try terminal.wait(forInput: ". ")
    try terminal.type("\"a\", 2] ")
    try terminal.wait(
      forDressedRow: ". [32|\"a\"], [35|2]] [2|[from [METHOD] TARGET] [policy P] [constant]]"
    )
  }

  @Test func `Right completes to the latest command with the same beginning`() throws {
    let terminal = try Workplace().terminal()
    try terminal.enter("loadable profile: String")
    try terminal.type("loada")
    try terminal.wait(forDressedRow: "> loada[2|ble profile: String]")
    try terminal.type("\u{1B}[C")
    try terminal.wait(forInput: "> loadable profile: String")
  }

  @Test func `a question mark explains a command, but not inside a type`() throws {
    let terminal = try Workplace().terminal()
    try terminal.waitForPrompt()
    try terminal.type("wait ?")
    try terminal.wait(forLine: "  250ms  a duration")
    try terminal.wait(forInput: "> wait ")
    try terminal.type("\u{3}")
    try terminal.waitForPrompt()
    try terminal.type("loadable a: String?\r")
    try terminal.enter("show a", until: "> show a")
    #expect(terminal.screen.text.contains("> loadable a: String?"))
  }

  @Test func `NO_COLOR keeps hints without colours`() throws {
    let terminal = try Workplace().terminal(environment: ["NO_COLOR": "1"])
    try terminal.waitForPrompt()
    try terminal.type("wait ")
    try terminal.wait(forDressedRow: "> wait [2|D]")
  }

  @Test(arguments: [40, 300]) func `hints fit into any width`(columns: Int) throws {
    let terminal = try Workplace().terminal(columns: columns)
    try terminal.enter("loadable p")
    try terminal.type("load p 1 ")
    try terminal.wait(for: "a hint") { $0.text.last?.hasPrefix("> load p 1 [") == true }
    #expect((terminal.screen.text.last?.count ?? 0) < columns)
    #expect(terminal.screen.cursorRow == terminal.screen.text.count - 1)
  }
}

extension TerminalSession {
  /// Waits until a row shows `line` with styles.
  fileprivate func wait(forDressedRow line: String) throws {
    try wait(for: "the row '\(line)'") { $0.dressedText.last == line }
  }
}
