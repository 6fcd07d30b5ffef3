// The environment is a variable of C's; only this file changes it, before there is a second process.
@preconcurrency import LibC
import Rehearsal
import RehearsalBase
import Script

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
  private let process: pid_t
  private let input: Int32

  /// Starts a pager, on the terminal; nil where it cannot be started.
  init?(_ command: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard let process = Self.spawn(command, input: ends[0]) else {
      close(ends[1])
      return nil
    }
    (self.process, input) = (process, ends[1])
  }

  /// - Returns: what it ended with; 0 also where the reader stopped it.
  func show(_ text: String) -> Int32 {
    // Who has read enough closes the pipe.
    let outer = signal(SIGPIPE, SIG_IGN)
    try? FileBytes.write(Array(text.utf8), to: input)
    signal(SIGPIPE, outer)
    close(input)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 0
  }

  /// Only a command that needs a shell gets one: on Ctrl-C a shell leaves, though the pager stays.
  private static func spawn(_ command: String, input: Int32) -> pid_t? {
    let isPlain = command.utf8.allSatisfy { !"|&;<>()$`\\\"'*?[#~=%".utf8.contains($0) }
    let words =
      isPlain ? command.split(separator: " ").map(String.init) : ["/bin/sh", "-c", command]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    setSignals(&attributes)
    setDefaults()
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, words[0], &actions, &attributes, arguments, environ)
    return code == 0 ? process : nil
  }

  /// Signals mean to the pager what they mean to any program.
  private static func setSignals(_ attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
    )
  }

  /// What `less` needs to show colours and signs, unless the user has said what it gets.
  private static func setDefaults() {
    setenv("LESS", "FRX", 0)
    setenv("LESSCHARSET", "utf-8", 0)
  }
}
