import LineEditing
import PseudoTerminal
import Testing

@Suite(.enabled(if: LineEditor.isBuiltIn)) struct CompletingTests {
  @Test func `Tab completes the only candidate`() throws {
    let terminal = try Prompt().terminal
    try terminal.type("cre" + Key.tab)
    try terminal.wait(forInput: "> create ", column: 9)
    try terminal.type("fol" + Key.tab)
    try terminal.wait(forInput: "> create folder/")
    try terminal.type(" gr" + Key.tab + Key.enter)
    try terminal.wait(forLine: "line: [create folder/ größe ]")
  }

  @Test func `Tab lists several candidates until the next key`() throws {
    let terminal = try Prompt().terminal
    try terminal.type("c" + Key.tab)
    try terminal.wait(forScreen: ["> c", "  cancel  stop a load", "  create  make a thing"])
    #expect(terminal.screen.cursorRow == 0)
    try terminal.type("a")
    try terminal.wait(forScreen: ["> ca"])
    try terminal.type(Key.tab + Key.enter)
    try terminal.wait(forScreen: ["> cancel", "line: [cancel ]", ">"])
  }

  @Test func `a list at the bottom of the screen scrolls it and is removed`() throws {
    let terminal = try Prompt(rows: 5).terminal
    for name in ["a", "b"] {
      try terminal.type(name + Key.enter)
      try terminal.wait(for: "the next prompt") { $0.text.suffix(2) == ["line: [\(name)]", ">"] }
    }
    try terminal.type("c" + Key.tab)
    try terminal.wait(forLine: "  create  make a thing")
    try terminal.type(Key.control("c"))
    let lines = ["> a", "line: [a]", "> b", "line: [b]", "> c^C", "interrupted", ">"]
    try terminal.wait(forScreen: lines)
  }

  @Test func `a list is placed below a line of several rows`() throws {
    let terminal = try Prompt(columns: 20).terminal
    let long = "12345678901234567890 c"
    try terminal.type(long + " tail" + String(repeating: Key.left, count: 5) + Key.tab)
    let rows = ["> 123456789012345678", "90 c tail"]
    try terminal.wait(forScreen: rows + ["  cancel  stop a l…", "  create  make a t…"])
    try terminal.type("x")
    try terminal.wait(forScreen: ["> 123456789012345678", "90 cx tail"])
  }

  @Test func `Tab rings the bell if there is no candidate`() throws {
    let terminal = try Prompt().terminal
    try terminal.type("zzz" + Key.tab)
    try terminal.wait(for: "the bell") { $0.bellCount == 1 }
    #expect(terminal.screen.text == ["> zzz"])
  }
}
