import LibC
import LineEditing
import PseudoTerminal
import Testing

let interruptSignal = SIGINT

@Suite(.enabled(if: LineEditor.isBuiltIn)) struct InterruptTests {
  @Test func `Ctrl-C at the prompt drops the line`() throws {
    let terminal = try Prompt().terminal
    try terminal.type("half a line" + Key.left + Key.left)
    try terminal.wait(forInput: "> half a line", column: 11)
    try terminal.type(Key.control("c"))
    try terminal.wait(forScreen: ["> half a line^C", "interrupted", ">"])
    try terminal.type("next" + Key.enter)
    try terminal.wait(forLine: "line: [next]")
  }

  @Test func `Ctrl-C in a line of several rows continues below it`() throws {
    let terminal = try Prompt(columns: 20).terminal
    try terminal.type("123456789012345678901234567890" + Key.home)
    try terminal.wait(forInput: "> 123456789012345678", column: 2)
    try terminal.type(Key.control("c"))
    try terminal.wait(
      forScreen: ["> 123456789012345678", "901234567890^C", "interrupted", ">"]
    )
  }

  @Test func `Ctrl-C while a command runs calls the handler and keeps the session`() throws {
    let terminal = try Prompt().terminal
    for _ in 0..<3 {
      try terminal.wait(forInput: "> ")
      try terminal.type("run" + Key.enter)
      try terminal.wait(for: "running") { $0.currentLine == "" && $0.text.last == "running" }
      try terminal.type(Key.control("c"))
      try terminal.wait(forInput: "> ")
    }
    let once = ["> run", "running", "cancelled"]
    try terminal.wait(forScreen: once + once + once + [">"])
  }

  @Test func `Ctrl-C just before a command starts cancels it`() throws {
    let terminal = try Prompt().terminal
    try terminal.type("early" + Key.enter)
    try terminal.wait(forScreen: ["> early", "running", "cancelled", ">"])
  }

  @Test func `Ctrl-C in a search drops the search and the line`() throws {
    let terminal = try Prompt(history: "create x\n").terminal
    try terminal.type(Key.control("r") + "cre")
    try terminal.wait(forLine: "bck:cre")
    try terminal.type(Key.control("c"))
    try terminal.wait(forLine: "interrupted")
    try terminal.wait(forInput: "> ")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT])
  func `a signal that ends the process restores the terminal first`(signal: Int32) throws {
    let terminal = try Prompt().terminal
    // Read the terminal's settings only after it is prepared.
    try terminal.type("half")
    try terminal.wait(forInput: "> half")
    #expect(!terminal.isCooked)
    terminal.send(signal: signal)
    #expect(try terminal.waitForExit() == -signal)
    #expect(terminal.isCooked)
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal that ends a command restores the terminal first`(signal: Int32) throws {
    let terminal = try Prompt().terminal
    try terminal.type("run" + Key.enter)
    try terminal.wait(forLine: "running")
    terminal.send(signal: signal)
    #expect(try terminal.waitForExit() == -signal)
    #expect(terminal.isCooked)
  }

  @Test func `a stopped session continues with its unfinished line`() throws {
    let folder = try TemporaryFolder()
    let shell = try TerminalSession(
      "/bin/sh",
      arguments: ["-i"],
      environment: Prompt.environment(home: folder, ["PS1": "shell: ", "ENV": ""])
    )
    try shell.wait(forInput: "shell: ")
    try shell.type(BuildProducts.path(of: "EditingHost") + Key.enter)
    try shell.wait(forInput: "> ")
    try shell.type("half a")
    try shell.wait(forInput: "> half a")
    try shell.type(Key.control("z"))
    try shell.wait(forInput: "shell: ")
    #expect(shell.isCooked)
    try shell.type("fg" + Key.enter)
    try shell.wait(forInput: "> half a")
    try shell.type(" line" + Key.enter)
    try shell.wait(forLine: "line: [half a line]")
    try shell.wait(forInput: "> ")
    try shell.type("run" + Key.enter)
    try shell.wait(forLine: "running")
    try shell.type(Key.control("z"))
    try shell.wait(forInput: "shell: ")
    try shell.type("fg" + Key.enter)
    // Until then the shell gets Ctrl-C.
    try shell.wait(for: "a command that runs again") { _ in !shell.isCooked }
    try shell.type(Key.control("c"))
    try shell.wait(forLine: "cancelled")
    try shell.wait(forInput: "> ")
    try shell.type(Key.control("d"))
    try shell.wait(forLine: "bye")
  }
}
