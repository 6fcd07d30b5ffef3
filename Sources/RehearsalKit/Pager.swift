import LibC
import Rehearsal
import RehearsalBase
import Script
import Workers

/// The program that shows long texts page by page: `$PAGER`, or else `less`.
enum Pager {
  /// Whether there is a terminal that pages can be shown on.
  static var isPossible: Bool {
    StandardStreams.isTerminal(0) && StandardStreams.isTerminal(1)
      && StandardStreams.isSmartTerminal
      && command != nil
  }

  /// Whether lines take more rows than the screen has.
  static func isNeeded(for lines: [String]) -> Bool {
    let columns = StandardStreams.columns
    let rows = lines.reduce(0) { rows, line in
      // Escape sequences count too much here, which does no harm: a pager leaves short texts alone.
      rows + max(1, (line.widthInColumns + columns - 1) / columns)
    }
    return rows >= StandardStreams.rows
  }

  /// Shows lines until the reader has seen enough; where the pager cannot, as they are.
  static func show(_ lines: [String]) {
    let text = lines.joined()
    guard let command, let child = PagerProcess(command) else {
      return show(text, instead: "it cannot be started")
    }
    let status = child.show(text)
    if status != 0 { show(text, instead: "it ended with status \(status)") }
  }

  private static func show(_ text: String, instead reason: String) {
    StandardStreams.write(text)
    // Nobody asked for the one that may be there.
    guard let wanted = getenv("PAGER").map({ String(cString: $0) }) else { return }
    let name = wanted.printable(atMost: 80)
    StandardStreams.write("note: no pages by '\(name)': \(reason)\n", to: .error)
  }

  /// What shows pages, as a shell would write it; nil where the user wants nothing.
  private static var command: String? {
    guard let pager = getenv("PAGER").map({ String(cString: $0) }) else { return "less -FRX" }
    let words = pager.split(separator: " ")
    return words.isEmpty || words == ["cat"] ? nil : pager
  }
}

/// A pager that runs.
private struct PagerProcess {
  private let process: SpawnedProcess
  private let input: Int32

  /// Starts a pager, on the terminal; nil if it cannot be started.
  init?(_ command: String) {
    // Only a command that needs a shell gets one: on Ctrl-C a shell leaves, though the pager stays.
    let isPlain = command.utf8.allSatisfy { !"|&;<>()$`\\\"'*?[#~=%".utf8.contains($0) }
    let words =
      isPlain ? command.split(separator: " ").map(String.init) : ["/bin/sh", "-c", command]
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

  /// Writes a text, and waits for the end of the pager.
  ///
  /// - Returns: its exit status; 0 also if a signal ended it.
  func show(_ text: String) -> Int {
    // A reader who has seen enough closes the pipe.
    try? Descriptor.send(Array(text.utf8), to: input)
    close(input)
    return if case .status(let status) = process.wait() { status } else { 0 }
  }

  /// Sets what `less` needs to show colours and signs, unless the user has set it.
  private static func setDefaults() {
    setenv("LESS", "FRX", 0)
    setenv("LESSCHARSET", "utf-8", 0)
  }
}
