import LineEditing
import PseudoTerminal
import Testing

@Suite(.enabled(if: LineEditor.isBuiltIn)) struct RecallingTests {
  @Test func `Up finds the lines with the typed prefix`() throws {
    let terminal = try Prompt(history: "create a\nload b\ncreate c\nscript cr\n").terminal
    try terminal.type("cr" + Key.up)
    try terminal.wait(forLine: "> create c")
    try terminal.type(Key.up)
    try terminal.wait(forLine: "> create a")
    try terminal.type(Key.down)
    try terminal.wait(forInput: "> create c")
    try terminal.type(Key.down)
    try terminal.wait(forInput: "> cr")
  }

  @Test func `Ctrl-R finds a line by its content, and Enter accepts it`() throws {
    let terminal = try Prompt(history: "create a\nload b\ncreate c\n").terminal
    try terminal.type(Key.control("r") + "oa")
    try terminal.wait(forScreen: ["> load b", "bck:oa"])
    try terminal.type(Key.enter)
    try terminal.wait(forScreen: ["> load b", "line: [load b]", ">"])
  }

  @Test func `a history outlives its session, without repetitions`() throws {
    let folder = try TemporaryFolder()
    let first = try Prompt(in: folder).terminal
    let lines = ["one", "two", "one"]
    try first.type(lines.map { $0 + Key.enter }.joined())
    try first.wait(forScreen: lines.flatMap { ["> \($0)", "line: [\($0)]"] } + [">"])
    try first.type(Key.control("d"))
    #expect(try first.waitForExit() == 0)
    #expect(try folder.read("history") == "two\none\n")

    let second = try Prompt(in: folder).terminal
    try second.type(Key.up)
    try second.wait(forInput: "> one")
    try second.type(Key.up)
    try second.wait(forInput: "> two")
  }

  @Test func `a history survives a session that is killed`() throws {
    let prompt = try Prompt()
    try prompt.terminal.type("one" + Key.enter)
    try prompt.terminal.wait(forLine: "line: [one]")
    prompt.terminal.send(signal: 9)
    #expect(try prompt.terminal.waitForExit() == -9)
    #expect(try prompt.folder.read("history") == "one\n")
  }

  @Test func `a damaged history does not prevent the prompt`() throws {
    let terminal = try Prompt(history: "good\n\u{0}\u{0}\n").terminal
    try terminal.type(Key.up)
    try terminal.wait(forInput: "> good")
  }
}
