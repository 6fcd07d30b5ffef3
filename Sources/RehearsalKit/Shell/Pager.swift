import LibC
import Rehearsal
import RehearsalBase
import Script
import Workers

/// A program that shows long texts page by page: `$PAGER`, or `less`.
enum Pager {
  /// Whether input and output are a terminal, and the user wants a pager.
  static var isPossible: Bool {
    StandardStreams.isTerminal(0) && StandardStreams.isTerminal(1)
      && StandardStreams.isSmartTerminal
      && command != nil
  }

  /// Returns whether lines take more rows than two screens have.
  ///
  /// A shorter text is printed: the reader scrolls back, and stays at the prompt.
  static func isNeeded(for lines: [String]) -> Bool {
    let columns = StandardStreams.columns
    let rows = lines.reduce(0) { rows, line in
      // Escape sequences count as columns. That does no harm: `less -F` ends at once after a short text.
      rows + max(1, (line.widthInColumns + columns - 1) / columns)
    }
    return rows > 2 * StandardStreams.rows
  }

  /// Shows lines until the reader ends the pager. If the pager fails, the lines are printed.
  static func show(_ lines: [String]) {
    let text = lines.joined()
    guard let command, let child = PagerProcess(command) else {
      return show(text, instead: "cannot be started")
    }
    let status = child.show(text)
    if status != 0 { show(text, instead: "ended with status \(status)") }
  }

  private static func show(_ text: String, instead reason: String) {
    StandardStreams.write(text)
    // The user did not ask for the default pager, so it may be missing without a note.
    guard let wanted = getenv("PAGER").map({ String(cString: $0) }) else { return }
    let name = wanted.printable(atMost: 80)
    StandardStreams.write("note: pager '\(name)' \(reason)\n", to: .error)
  }

  /// The words of the pager's command line; nil if the user wants no pager.
  private static var command: [String]? {
    guard let pager = getenv("PAGER").map({ String(cString: $0) }) else {
      return ["less", "-FRX", lessPrompt]
    }
    let words = pager.split(separator: " ").map(String.init)
    if words.isEmpty || words == ["cat"] { return nil }
    // Only a command that needs a shell gets one: Ctrl-C ends a shell while the pager still runs.
    let isPlain = pager.utf8.allSatisfy { !"|&;<>()$`\\\"'*?[#~=%".utf8.contains($0) }
    return isPlain ? words : ["/bin/sh", "-c", pager]
  }

  /// The option of `less` whose prompt says how to return. The default prompt looks like the shell's.
  fileprivate static var lessPrompt: String {
    // These characters have a meaning in prompts of `less`, or end one in its variable.
    let name = ThisProgram.current.name.filter { !"?:.%\\$".contains($0) }
    return "-Pspress q to return to \(name), space for the next page"
  }
}

/// A running pager.
private struct PagerProcess {
  private let process: SpawnedProcess
  private let input: Int32

  /// Starts a pager on the terminal; nil if it cannot be started.
  init?(_ words: [String]) {
    guard let pipe = try? Descriptor.makePipe() else { return nil }
    defer { close(pipe.reading) }
    Self.setDefaults()
    let process = try? SpawnedProcess(
      program: words[0],
      arguments: words,
      streams: [.descriptor(pipe.reading)],
      hasOwnGroup: false,
      resetsSignals: true
    )
    guard let process else {
      close(pipe.writing)
      return nil
    }
    (self.process, input) = (process, pipe.writing)
  }

  /// Writes a text, and waits until the pager ends.
  ///
  /// - Returns: the exit status; 0 also if a signal ended the pager.
  func show(_ text: String) -> Int {
    // If the reader ends the pager early, the pipe is closed and writing fails.
    try? Descriptor.send(Array(text.utf8), to: input)
    close(input)
    return if case .status(let status) = process.wait() { status } else { 0 }
  }

  /// Sets the options of `less` for colours, UTF-8 and the prompt, unless the user has set them. They also apply
  /// if `$PAGER` is `less`.
  private static func setDefaults() {
    // In this variable '$' ends the prompt.
    setenv("LESS", "-FRX \(Pager.lessPrompt)$", 0)
    setenv("LESSCHARSET", "utf-8", 0)
  }
}
