import LineEditing
import PseudoTerminal
import Testing

@Suite(.enabled(if: LineEditor.isBuiltIn)) struct KeySettingsTests {
  @Test func `vi keys are chosen in the settings file, and keep ours`() throws {
    let history = "create a\nload b\n"
    let terminal = try Prompt(settings: "# mine\nbind -v\n", history: history).terminal
    try terminal.type("abc def" + Key.escape)
    try terminal.wait(forInput: "> abc def", column: 8)
    try terminal.type("0dw")
    try terminal.wait(forInput: "> def", column: 2)
    try terminal.type("A cre" + Key.tab + Key.enter)
    try terminal.wait(forLine: "line: [def create ]")
    try terminal.wait(forInput: "> ")
    try terminal.type("cr" + Key.up)
    try terminal.wait(forLine: "> create a")
    try terminal.type(Key.control("c"))
    try terminal.wait(forLine: "interrupted")
    try terminal.wait(forInput: "> ")
    try terminal.type("i" + Key.escape + "xione" + Key.enter)
    try terminal.wait(forLine: "line: [one]")
  }

  @Test func `a binding of the user's wins over ours`() throws {
    let terminal = try Prompt(settings: "bind ^R ed-move-to-beg\n").terminal
    try terminal.type("abc" + Key.control("r"))
    try terminal.wait(forInput: "> abc", column: 2)
  }

  @Test func `a binding for another program is not ours`() throws {
    let terminal = try Prompt(settings: "other:bind -v\neditinghost:bind -s ^G good\n").terminal
    try terminal.type(Key.control("g"))
    try terminal.wait(forInput: "> good")
    try terminal.type(Key.control("a"))
    try terminal.wait(forInput: "> good", column: 2)
  }

  @Test func `an invalid line does not affect the others`() throws {
    let settings = "nonsense \"\nbind\u{7}x\n\nbind -s ^G good\n"
    let terminal = try Prompt(settings: settings).terminal
    try terminal.type(Key.control("g"))
    try terminal.wait(forInput: "> good")
  }

  @Test func `EDITRC names another file`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("bind -s ^G good\n".utf8), to: "other")
    let environment = ["EDITRC": folder.path(of: "other")]
    let terminal = try Prompt(in: folder, environment: environment).terminal
    try terminal.type(Key.control("g"))
    try terminal.wait(forInput: "> good")
  }
}
