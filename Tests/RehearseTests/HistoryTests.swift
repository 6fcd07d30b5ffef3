import Foundation
import LineEditing
import PseudoTerminal
import Testing

/// The history of the prompt.
@Suite(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
struct HistoryTests {
  private static let up = "\u{1B}[A"

  @Test func `lines are recalled in the next session, from a file that only the owner can read`()
    throws
  {
    let place = try Workplace()
    let first = try place.terminal()
    for command in ["loadable n", "  ", "lod"] { try first.enter(command) }
    #expect(try first.quit() == 0)

    let second = try place.terminal()
    try second.waitForPrompt()
    try second.type(Self.up)
    try second.wait(forInput: "> quit")
    try second.type(Self.up)
    try second.wait(forInput: "> lod")
    try second.type(Self.up)
    try second.wait(forInput: "> loadable n")
    try second.type("\r")
    try second.enter("list", until: "  n  absent")
    #expect(try place.permissions(of: ".local/state/rehearse/history") == 0o600)
  }

  @Test func `XDG_STATE_HOME sets the folder of the history`() throws {
    let place = try Workplace()
    let terminal = try place.terminal(environment: ["XDG_STATE_HOME": place.path + "/state"])
    #expect(try terminal.quit() == 0)

    #expect(try place.permissions(of: "state/rehearse/history") == 0o600)
    #expect(try place.names() == ["state"])
  }

  @Test func `without a home folder there is no history and no error`() throws {
    let place = try Workplace()
    let terminal = try place.terminal(environment: ["HOME": "/dev/null"])
    try terminal.enter("now", until: "  0.000s")
    #expect(try terminal.quit() == 0)
    #expect(!terminal.screen.text.contains { $0.contains("error") })
  }

  @Test func `commands of a pipe are not remembered`() throws {
    let place = try Workplace()
    _ = try place.rehearse(input: "now\n")

    #expect(try place.names() == [])
  }
}
