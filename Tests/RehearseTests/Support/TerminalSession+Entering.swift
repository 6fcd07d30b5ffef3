import PseudoTerminal

extension TerminalSession {
  /// Types a command at the prompt and waits for the next prompt.
  func enter(_ command: String) throws {
    try waitForPrompt()
    let count = promptCount
    try type(command + "\r")
    try wait(for: "a prompt after '\(command)'") { _ in promptCount > count }
    try waitForPrompt()
  }

  /// Types a command, and waits until the screen shows `line`.
  func enter(_ command: String, until line: String) throws {
    try waitForPrompt()
    try type(command + "\r")
    try wait(forLine: line)
  }

  /// Ends the session, and returns its exit code.
  func quit() throws -> Int32 {
    try waitForPrompt()
    try type("quit\r")
    return try waitForExit()
  }

  func waitForPrompt() throws { try wait(forInput: "> ") }

  /// Output is indented, so a row that begins with the prompt is a prompt.
  private var promptCount: Int { screen.text.count { $0.hasPrefix(">") } }
}
