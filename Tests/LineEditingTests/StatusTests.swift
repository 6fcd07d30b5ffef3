import LibC
import LineEditing
import PseudoTerminal
import Testing

@Suite(.enabled(if: LineEditor.isBuiltIn)) struct StatusTests {
  @Test func `a status is below the line and disappears with it`() throws {
    let terminal = try Prompt(environment: ["DRESSED": "plain"]).terminal
    try terminal.type("status now" + Key.enter)
    try terminal.wait(forDressed: ["[1|>] status now", "[1|>]", "[2|now]"])
    #expect(terminal.screen.cursorRow == 1 && terminal.screen.cursorColumn == 2)
    try terminal.type("ab" + Key.enter)
    try terminal.wait(
      forDressed: ["[1|>] status now", "[1|>] ab", "line: [ab]", "[1|>]", "[2|now]"]
    )
    try terminal.type(Key.control("d"))
    #expect(try terminal.waitForExit() == 0)
    #expect(terminal.screen.text == ["> status now", "> ab", "line: [ab]", "bye"])
  }

  @Test func `a status moves with a line that grows or shrinks`() throws {
    let terminal = try Prompt(environment: ["DRESSED": "plain"], columns: 20).terminal
    try terminal.type("status a long status here" + Key.enter)
    try terminal.wait(forLine: "a long status here")
    try terminal.type("123456789012345678901234")
    try terminal.wait(for: "two rows and the status") {
      $0.text.suffix(3) == ["> 123456789012345678", "901234", "a long status here"]
    }
    try terminal.type(String(repeating: Key.control("h"), count: 10))
    try terminal.wait(for: "one row and the status") {
      $0.text.suffix(2) == ["> 12345678901234", "a long status here"]
    }
  }

  @Test(arguments: ["", "status now"])
  func `an aborted search leaves only the line`(command: String) throws {
    let prompt = try Prompt(environment: ["DRESSED": "plain"])
    let terminal = prompt.terminal
    try terminal.type("create" + Key.enter + (command.isEmpty ? "" : command + Key.enter))
    let below = command.isEmpty ? [] : ["now"]
    try terminal.wait(for: "a prompt") { $0.text.suffix(below.count + 1) == [">"] + below }
    try terminal.type(Key.control("r") + "cre")
    try terminal.wait(for: "the search") { $0.text.contains { $0.hasPrefix("bck:cre") } }
    try terminal.type(Key.control("c"))
    try terminal.wait(for: "a prompt") { $0.text.suffix(below.count + 1) == [">"] + below }
    #expect(!terminal.screen.text.contains { $0.contains("bck") })
    #expect(terminal.screen.text.count { $0.contains("now") } == (command.isEmpty ? 0 : 2))
  }

  @Test func `a status at the bottom of the screen scrolls it`() throws {
    let terminal = try Prompt(environment: ["DRESSED": "plain"], rows: 3).terminal
    try terminal.type("status now" + Key.enter)
    try terminal.wait(forDressed: ["[1|>] status now", "[1|>]", "[2|now]"])
    for name in ["a", "b"] {
      try terminal.type(name + Key.enter)
      try terminal.wait(for: "the next prompt") {
        $0.text.suffix(3) == ["line: [\(name)]", ">", "now"]
      }
    }
    let lines = ["> status now", "> a", "line: [a]", "> b", "line: [b]", ">", "now"]
    #expect(terminal.screen.text == lines)
  }

  @Test func `a list is between the line and its status until the next key`() throws {
    let terminal = try Prompt(environment: ["DRESSED": "plain"]).terminal
    try terminal.type("status now" + Key.enter + "c" + Key.tab)
    try terminal.wait(
      forScreen: [
        "> status now", "> c", "  cancel  stop a load", "  create  make a thing", "now",
      ]
    )
    try terminal.type("a")
    try terminal.wait(forScreen: ["> status now", "> ca", "now"])
    try terminal.type(Key.control("c"))
    try terminal.wait(forScreen: ["> status now", "> ca^C", "interrupted", ">", "now"])
  }

  @Test func `a status is updated while a list is above it`() throws {
    let terminal = try Prompt(environment: ["DRESSED": "plain"]).terminal
    try terminal.type("refresh-on-signal" + Key.enter)
    try terminal.wait(forLine: "ready")
    try terminal.wait(forInput: "> ")
    try terminal.type("status now" + Key.enter + "count" + Key.enter)
    try terminal.wait(for: "the status") { $0.text.suffix(2) == [">", "now 1"] }
    try terminal.type("c" + Key.tab)
    let list = ["> c", "  cancel  stop a load", "  create  make a thing"]
    try terminal.wait(for: "the list") { $0.text.suffix(4) == list + ["now 1"] }
    terminal.send(signal: SIGUSR1)
    try terminal.wait(for: "the next status") { $0.text.suffix(4) == list + ["now 2"] }
    #expect(terminal.screen.cursorColumn == 3)
    try terminal.type("a")
    try terminal.wait(for: "the line") { $0.text.suffix(2) == ["> ca", "now 2"] }
  }

  @Test func `a message appears above the line and its status`() throws {
    let terminal = try Prompt(environment: ["DRESSED": "plain"]).terminal
    try terminal.type("status now" + Key.enter + "post-on-signal first" + Key.enter)
    try terminal.wait(for: "the prompt") { $0.text.suffix(3) == ["ready", ">", "now"] }
    try terminal.type("half")
    try terminal.wait(for: "the line") { $0.text.suffix(2) == ["> half", "now"] }
    terminal.send(signal: SIGUSR1)
    try terminal.wait(for: "the message") {
      $0.text.suffix(4) == ["ready", "first", "> half", "now"]
    }
  }

  @Test func `the prompt calls idle for as long as it returns a time`() throws {
    let terminal = try Prompt(environment: ["DRESSED": "plain"]).terminal
    try terminal.type("idle 3" + Key.enter)
    try terminal.wait(forScreen: ["> idle 3", "idle 3", "idle 2", "idle 1", ">"])
    try terminal.type("x" + Key.enter)
    try terminal.wait(forLine: "line: [x]")
  }

  @Test func `a refresh brings the status up to date with the line as it is`() throws {
    let terminal = try Prompt(environment: ["DRESSED": "plain"]).terminal
    try terminal.type("refresh-on-signal" + Key.enter)
    try terminal.wait(forLine: "ready")
    try terminal.wait(forInput: "> ")
    try terminal.type("status asked" + Key.enter + "count" + Key.enter)
    try terminal.wait(for: "the status") { $0.text.suffix(2) == [">", "asked 1"] }
    try terminal.type("half" + Key.left)
    try terminal.wait(for: "the line") { $0.text.suffix(2) == ["> half", "asked 1"] }
    terminal.send(signal: SIGUSR1)
    try terminal.wait(for: "the next") { $0.text.suffix(2) == ["> half", "asked 2"] }
    #expect(terminal.screen.cursorColumn == 5)
  }

  @Test func `a resized window shows its status again`() throws {
    let terminal = try Prompt(environment: ["DRESSED": "plain"], columns: 30).terminal
    try terminal.type("status a status of some length" + Key.enter)
    try terminal.wait(forLine: "a status of some length")
    try terminal.type("half")
    try terminal.wait(for: "the line") { $0.currentLine == "> half" }
    terminal.resize(rows: 24, columns: 16)
    try terminal.wait(for: "the status, cut") {
      $0.text.suffix(2) == ["> half", "a status of so…"]
    }
    terminal.resize(rows: 24, columns: 60)
    try terminal.wait(for: "all of it") {
      $0.text.suffix(2) == ["> half", "a status of some length"]
    }
  }
}

extension TerminalSession {
  /// Waits until the whole screen shows exactly `lines`, with their styles.
  ///
  /// - Throws: `Failure` if the program ends before, or after a minute.
  func wait(forDressed lines: [String]) throws {
    do {
      try wait(for: (["the screen"] + lines).joined(separator: "\n  ")) { $0.dressedText == lines }
    } catch {
      throw Failure(reason: "\(error)", screen: screen.dressedText)
    }
  }
}
