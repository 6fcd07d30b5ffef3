import LibC
import LineEditing
import PseudoTerminal
import Testing

@Suite(.enabled(if: LineEditor.isBuiltIn)) struct TypingTests {
  @Test func `a line is read, and edited with the usual keys`() throws {
    let terminal = try Prompt().terminal
    try terminal.type("loud" + Key.left + Key.control("h") + "a")
    try terminal.wait(forInput: "> load", column: 5)
    try terminal.type(Key.control("a") + "re")
    try terminal.wait(forInput: "> reload", column: 4)
    try terminal.type(Key.enter)
    try terminal.wait(forScreen: ["> reload", "line: [reload]", ">"])
  }

  @Test func `letters of any width are typed, counted and deleted as they look`() throws {
    let terminal = try Prompt().terminal
    try terminal.type("größe 日本語 âéö")
    try terminal.wait(forInput: "> größe 日本語 âéö", column: 18)
    try terminal.type(Key.left + Key.left + Key.left + Key.left + Key.control("h"))
    try terminal.wait(forInput: "> größe 日本 âéö", column: 12)
    try terminal.type(Key.enter)
    try terminal.wait(forLine: "line: [größe 日本 âéö]")
  }

  @Test func `letters are read in a locale without them`() throws {
    let terminal = try Prompt(environment: ["LC_ALL": "C"]).terminal
    try terminal.type("héllo 日本" + Key.enter)
    try terminal.wait(forLine: "line: [héllo 日本]")
  }

  @Test func `an invalid byte is shown as such, and Enter still works`() throws {
    let terminal = try Prompt().terminal
    try terminal.type(bytes: [0x61, 0xFF, 0x62, 0xC3, 0x0D])
    try terminal.wait(forLine: "line: [a\u{FFFD}b\u{FFFD}]")
  }

  @Test func `Ctrl-D quits, and its prompt is removed`() throws {
    let terminal = try Prompt().terminal
    try terminal.type("one" + Key.enter)
    try terminal.wait(forScreen: ["> one", "line: [one]", ">"])
    try terminal.type(Key.control("d"))
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.screen.text == ["> one", "line: [one]", "bye"])
  }

  @Test func `Ctrl-D in a line deletes`() throws {
    let terminal = try Prompt().terminal
    try terminal.type("abc" + Key.control("a") + Key.control("d"))
    try terminal.wait(forInput: "> bc", column: 2)
  }

  @Test func `an unfinished line is continued at another prompt`() throws {
    let terminal = try Prompt().terminal
    try terminal.type("one\\" + Key.enter)
    try terminal.wait(forInput: ". ")
    try terminal.type("two" + Key.enter)
    try terminal.wait(forScreen: ["> one\\", ". two", "line: [one\\two]", ">"])
  }

  @Test func `text that is typed during a command is shown at the next prompt, not before`() throws
  {
    let terminal = try Prompt().terminal
    try terminal.type("run" + Key.enter)
    try terminal.wait(forLine: "running")
    try terminal.type("one" + Key.enter + "hal")
    // Not with Ctrl-C, which makes a terminal drop typed text.
    terminal.send(signal: interruptSignal)
    try terminal.wait(
      forScreen: ["> run", "running", "cancelled", "> one", "line: [one]", "> hal"]
    )
  }

  @Test func `text that is typed between two prompts is shown at the next one, not before`() throws
  {
    let terminal = try Prompt().terminal
    try terminal.type("pause" + Key.enter)
    try terminal.wait(forLine: "pausing")
    try terminal.type("one" + Key.enter + "hal")
    terminal.send(signal: SIGUSR1)
    try terminal.wait(forScreen: ["> pause", "pausing", "> one", "line: [one]", "> hal"])
  }

  @Test func `a dumb terminal edits too`() throws {
    let terminal = try Prompt(environment: ["TERM": "dumb"]).terminal
    try terminal.type("loud" + Key.control("h") + Key.control("h") + "ad" + Key.enter)
    try terminal.wait(forLine: "line: [load]")
    try terminal.wait(forInput: "> ")
    try terminal.type("half" + Key.control("c"))
    try terminal.wait(forLine: "interrupted")
    try terminal.wait(forInput: "> ")
    try terminal.type("c" + Key.tab)
    try terminal.wait(forLine: "  cancel  stop a load")
    try terminal.wait(forInput: "> c")
  }
}
