import LibC
import LineEditing
import PseudoTerminal
import Testing

@Suite(.enabled(if: LineEditor.isBuiltIn)) struct DressedPromptTests {
  @Test func `words are coloured as they are typed`() throws {
    let terminal = try dressed()
    try terminal.type("one 23")
    try terminal.wait(forDressed: ["[1|>] [32|one] [35|23]"])
    try terminal.type("x")
    try terminal.wait(forDressed: ["[1|>] [32|one] [32|23x]"])
    try terminal.type(Key.control("a") + "4 ")
    try terminal.wait(forDressed: ["[1|>] [35|4] [32|one] [32|23x]"])
    #expect(terminal.screen.cursorColumn == 4)
    try terminal.type(Key.control("d") + Key.control("d") + Key.control("d") + Key.control("d"))
    try terminal.wait(forDressed: ["[1|>] [35|4] [32|23x]"])
  }

  @Test func `a key at the end writes only its character and changed styles`() throws {
    let terminal = try dressed()
    try terminal.type("several words 1")
    try terminal.wait(forDressed: ["[1|>] [32|several] [32|words] [35|1]"])
    let before = terminal.written.count
    try terminal.type("2")
    try terminal.wait(forDressed: ["[1|>] [32|several] [32|words] [35|12]"])
    let written = String(decoding: terminal.written[before...], as: UTF8.self)
    #expect(written == "2\r\u{1B}[17C\u{1B}[0;35m2\u{1B}[0m")
  }

  @Test func `colours follow a line over its rows, and wide letters`() throws {
    let terminal = try dressed(columns: 20)
    try terminal.type("one two three 日本語 4 five")
    try terminal.wait(
      forDressed: ["[1|>] [32|one] [32|two] [32|three] [32|日本]", "[32|語] [35|4] [32|five]"]
    )
    try terminal.type(Key.control("a") + "x")
    try terminal.wait(
      forDressed: ["[1|>] [32|xone] [32|two] [32|three] [32|日]", "[32|本語] [35|4] [32|five]"]
    )
    #expect(terminal.screen.cursorColumn == 3 && terminal.screen.cursorRow == 0)
    try terminal.type(Key.enter)
    try terminal.wait(for: "the line") { $0.text.contains("e 日本語 4 five]") }
  }

  @Test func `combining marks keep their letters`() throws {
    let terminal = try dressed()
    try terminal.type("e\u{301}a 1" + Key.control("a"))
    try terminal.wait(forDressed: ["[1|>] [32|e\u{301}a] [35|1]"])
  }

  @Test func `a hint is shown dimmed after the line, while the caret is at the end`() throws {
    let terminal = try dressed()
    try terminal.type("loa")
    try terminal.wait(forDressed: ["[1|>] [32|loa][2|d]"])
    #expect(terminal.screen.cursorColumn == 5)
    try terminal.type("d ")
    try terminal.wait(forDressed: ["[1|>] [32|load] [2|NAME ANSWER]"])
    try terminal.type(Key.left)
    try terminal.wait(forDressed: ["[1|>] [32|load]"])
    try terminal.type(Key.control("e"))
    try terminal.wait(forDressed: ["[1|>] [32|load] [2|NAME ANSWER]"])
    try terminal.type(Key.enter)
    try terminal.wait(forDressed: ["[1|>] [32|load]", "line: [load ]", "[1|>]"])
  }

  @Test func `a hint is cut to the free columns of the row`() throws {
    let terminal = try dressed(columns: 12)
    try terminal.type("load ")
    try terminal.wait(forDressed: ["[1|>] [32|load] [2|NAM…]"])
  }

  @Test func `the history's hint is accepted by Right, End or Ctrl-E`() throws {
    for key in ["\u{1B}[C", "\u{1B}[F", Key.control("e")] {
      let terminal = try dressed("history", history: "load old\nload new 1\nsave it\n")
      try terminal.type("load")
      try terminal.wait(forDressed: ["[1|>] [32|load][2| new 1]"])
      try terminal.type(key)
      try terminal.wait(forDressed: ["[1|>] [32|load] [32|new] [35|1]"])
      try terminal.type(Key.enter)
      try terminal.wait(forLine: "line: [load new 1]")
    }
  }

  @Test func `a hint shows characters that reorder text as a sign`() throws {
    let terminal = try dressed("history", history: "load a\u{202E}b\n")
    try terminal.type("load")
    try terminal.wait(forDressed: ["[1|>] [32|load][2| a\u{FFFD}b]"])
  }

  @Test func `a hint about the syntax cannot be accepted`() throws {
    let terminal = try dressed("history", history: "save it\n")
    try terminal.type("loa")
    try terminal.wait(forDressed: ["[1|>] [32|loa][2|d]"])
    try terminal.type(Key.control("e") + "x")
    try terminal.wait(forInput: "> loax")
  }

  @Test func `Right and Ctrl-E move the caret if there is no hint`() throws {
    let terminal = try dressed()
    try terminal.type("abc" + Key.control("a") + "\u{1B}[C")
    try terminal.wait(forInput: "> abc", column: 3)
    try terminal.type(Key.control("e"))
    try terminal.wait(forInput: "> abc", column: 5)
  }

  @Test func `a search has no overlay`() throws {
    let terminal = try dressed("history", history: "load old\n")
    try terminal.type(Key.control("r") + "lo")
    try terminal.wait(forDressed: ["[1|>] load old", "bck:lo"])
    try terminal.type(Key.escape + Key.control("e"))
    try terminal.wait(forDressed: ["[1|>] [32|load] [32|old]"])
  }

  @Test func `a paste is styled when it is complete`() throws {
    let terminal = try dressed()
    try terminal.type(Key.paste("one\ntwo 2"))
    try terminal.wait(
      forDressed: ["[1|>] one", "line: [one]", "[1|>] [32|two] [35|2]"]
    )
  }

  @Test func `colours can be off while hints are on`() throws {
    let terminal = try dressed("plain")
    try terminal.type("load ")
    try terminal.wait(forDressed: ["[1|>] load [2|NAME ANSWER]"])
  }

  @Test func `a dumb terminal gets only the line`() throws {
    let terminal = try Prompt(environment: ["TERM": "dumb", "DRESSED": "all"]).terminal
    try terminal.type("status here" + Key.enter + "loa")
    try terminal.wait(forInput: "> loa")
    try terminal.type(Key.enter)
    try terminal.wait(forLine: "line: [loa]")
    #expect(!terminal.screen.text.contains("here"))
    #expect(!String(decoding: terminal.written, as: UTF8.self).contains("\u{1B}[0;"))
  }

  @Test func `a list on a dumb terminal is complete and stays`() throws {
    let terminal = try Prompt(environment: ["TERM": "dumb"], rows: 4).terminal
    try terminal.type(Key.tab)
    try terminal.wait(for: "the list") {
      $0.text.suffix(6) == [
        "  cancel   stop a load", "  create   make a thing", "  load     begin a load", "  größe",
        "  folder/", ">",
      ]
    }
  }

  @Test func `vi's keys move under the colours`() throws {
    let terminal = try Prompt(settings: "bind -v\n", environment: ["DRESSED": "all"]).terminal
    try terminal.type("one 2 three" + Key.escape)
    try terminal.wait(forInput: "> one 2 three", column: 12)
    try terminal.type("0dw")
    try terminal.wait(forDressed: ["[1|>] [35|2] [32|three]"])
    try terminal.type("wx")
    try terminal.wait(forDressed: ["[1|>] [35|2] [32|hree]"])
  }

  @Test func `a question mark explains what is expected, or is text`() throws {
    let terminal = try dressed()
    try terminal.type("1 ?")
    try terminal.wait(forDressed: ["[1|>] [35|1]", "  NAME  what is loaded", "  after 1"])
    try terminal.type("\"?")
    try terminal.wait(forDressed: ["[1|>] [35|1] [32|\"?]"])
    try terminal.type(Key.enter)
    try terminal.wait(forLine: "line: [1 \"?]")
  }

  private func dressed(
    _ what: String = "all",
    history: String? = nil,
    columns: Int = 60
  ) throws -> TerminalSession {
    try Prompt(history: history, environment: ["DRESSED": what], columns: columns).terminal
  }
}
