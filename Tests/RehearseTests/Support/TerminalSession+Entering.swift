import PseudoTerminal

extension TerminalSession {
  /// Types a command once there is a prompt, and waits until the screen shows `line`, if one is given.
  func enter(_ command: String, until line: String? = nil) throws {
    try waitForPrompt()
    try type(command + "\r")
    if let line { try wait(forLine: line) }
  }

  func waitForPrompt() throws { try wait(forInput: "> ") }
}
