internal import CPseudoTerminal
import LibC

/// A program on a pseudo-terminal. A test types keys and reads the screen.
///
/// Tests do not wait for a fixed time: `wait` returns as soon as a condition holds, and throws with the content of the
/// screen after a long limit.
public final class TerminalSession {
  /// The screen.
  public private(set) var screen: Screen
  /// Everything that the program has written, with its escape sequences.
  public private(set) var written: [UInt8] = []
  /// An object that must live as long as the program, such as its folder.
  public var companion: AnyObject?

  private let process: pid_t
  private let master: Int32
  private var status: Int32?
  private var isOpen = true

  /// Starts a program with exactly this environment; nothing is inherited.
  ///
  /// - Throws: `Failure` if the system has no pseudo-terminal left.
  public init(
    _ program: String,
    arguments: [String] = [],
    environment: [String: String],
    rows: Int = 24,
    columns: Int = 80
  ) throws {
    screen = Screen(rows: rows, columns: columns)
    var descriptor: Int32 = -1
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    process = Self.withCStrings([program] + arguments) { arguments in
      Self.withCStrings(variables) { variables in
        cpt_spawn(program, arguments, variables, Int32(rows), Int32(columns), &descriptor)
      }
    }
    master = descriptor
    guard process > 0 else { throw Failure(reason: "no pseudo-terminal", screen: []) }
  }

  deinit {
    // Also called after a failed start, when the process is -1, which would mean all processes.
    guard process > 0 else { return }
    if status == nil {
      kill(process, SIGKILL)
      var ignored: Int32 = 0
      waitpid(process, &ignored, 0)
    }
    close(master)
  }

  /// An error with the content of the screen.
  public struct Failure: Error, CustomStringConvertible {
    /// The condition that did not hold, or the failed action.
    public let reason: String
    /// The rows of the screen; empty if there is no screen.
    public let screen: [String]

    /// Creates an error with the rows of the screen.
    public init(reason: String, screen: [String]) {
      self.reason = reason
      self.screen = screen
    }

    /// The reason with the screen below it.
    public var description: String {
      ([reason, "on the screen:"] + screen).joined(separator: "\n  ")
    }
  }

  /// Presses keys. `\r` is Enter.
  ///
  /// - Throws: `Failure` if the program no longer reads input.
  public func type(_ keys: String) throws { try type(bytes: Array(keys.utf8)) }

  /// Presses keys by their bytes, which need not be UTF-8.
  ///
  /// - Throws: `Failure` if the program no longer reads input.
  public func type(bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, min($0.count, 1024)) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else {
        throw Failure(reason: "the program reads no keys", screen: screen.text)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Changes the size of the terminal. The program gets a signal.
  public func resize(rows: Int, columns: Int) {
    screen.resize(rows: rows, columns: columns)
    _ = cpt_resize(master, Int32(rows), Int32(columns))
  }

  /// Sends a signal to the program only, not to other programs on its terminal.
  public func send(signal: Int32) { kill(process, signal) }

  /// The processor time of the program; 0 if unknown.
  public var processorSeconds: Double { cpt_processor_seconds(process) }

  /// Whether the terminal is in its normal mode, with line buffering and echo.
  public var isCooked: Bool { cpt_is_cooked(master) }

  /// Waits until a row shows exactly `line`.
  ///
  /// - Throws: `Failure` if the program ends before, or after five minutes.
  public func wait(forLine line: String) throws {
    try wait(for: "the row '\(line)'") { $0.text.contains(line) }
  }

  /// Waits until the cursor is in the row `line`, at its end or in `column`.
  ///
  /// - Throws: `Failure` if the program ends before, or after five minutes.
  public func wait(forInput line: String, column: Int? = nil) throws {
    try wait(for: "the cursor on '\(line)'") { screen in
      let trimmed = line.last == " " ? String(line.dropLast()) : line
      return screen.currentLine == trimmed && screen.cursorColumn == column ?? line.count
    }
  }

  /// The limit of each wait. It is long because machines may be busy.
  private static let limitInSeconds = 300

  /// Waits until the whole screen shows `lines` and nothing else.
  ///
  /// - Throws: `Failure` if the program ends before, or after five minutes.
  public func wait(forScreen lines: [String]) throws {
    try wait(for: (["the screen"] + lines).joined(separator: "\n  ")) { $0.text == lines }
  }

  /// Waits until a condition holds for the screen.
  ///
  /// - Throws: `Failure` if the program ends before, or after five minutes.
  public func wait(for what: String, until isWanted: (Screen) -> Bool) throws {
    let deadline = Self.now() + Self.limitInSeconds
    while !isWanted(screen) {
      guard isOpen else { throw Failure(reason: "it ended before: \(what)", screen: screen.text) }
      guard Self.now() < deadline else {
        throw Failure(reason: "waited for: \(what)", screen: screen.text)
      }
      read(within: 20)  // Short, because the condition may not depend on the screen.
    }
  }

  /// Waits for the program to end, and returns its exit code, or minus the signal that ended it.
  ///
  /// - Throws: `Failure` if the program still has its terminal open after five minutes.
  public func waitForExit() throws -> Int32 {
    let deadline = Self.now() + Self.limitInSeconds
    while isOpen, Self.now() < deadline { read(within: 1_000) }
    guard !isOpen else { throw Failure(reason: "it did not end", screen: screen.text) }
    var code: Int32 = 0
    waitpid(process, &code, 0)
    status = code
    return code & 0x7F == 0 ? (code >> 8) & 0xFF : -(code & 0x7F)
  }

  private func read(within milliseconds: Int32) {
    var watched = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&watched, 1, milliseconds) > 0 else { return }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = Self.systemRead(master, &chunk)
    if count > 0 {
      screen.feed(chunk[..<count])
      written += chunk[..<count]
    } else if count == 0 || errno != EINTR && errno != EAGAIN {
      isOpen = false  // EIO: the other end is closed.
    }
  }

  private static func systemRead(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Int {
    LibC.read(descriptor, &bytes, bytes.count)
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec)
  }

  private static func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("The array has an element.") }
      return body(start)
    }
  }
}
