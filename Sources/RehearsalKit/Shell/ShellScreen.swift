import LineEditing
import Rehearsal
import RehearsalBase
import Script
import Synchronization

/// The shell's terminal: permanent lines, and below them rows that are replaced, if the terminal supports it. Callable
/// on any thread.
final class ShellScreen: Sendable {
  private let isAddressable: Bool
  private let stream: StandardStreams.Stream
  private let state = Mutex(State())

  private struct State {
    /// The replaceable rows.
    var rows: [String] = []
    var isWatched = false
    /// The prompt above which lines are printed.
    var prompt: PostedMessages?
  }

  init(isForPeople: Bool, on stream: StandardStreams.Stream = .output) {
    self.stream = stream
    isAddressable =
      isForPeople && StandardStreams.isTerminal(stream.rawValue) && StandardStreams.isSmartTerminal
  }

  /// Writes permanent lines.
  func write(_ text: String) {
    state.withLock { state in
      if let prompt = state.prompt { return prompt.post(text) }
      StandardStreams.write(Self.erasure(&state) + text, to: stream)
    }
  }

  /// Runs `body`, whose output appears above the prompt.
  func whileOutputGoes<T>(to prompt: PostedMessages, _ body: () -> T) -> T {
    state.withLock { $0.prompt = prompt }
    defer { state.withLock { $0.prompt = nil } }
    return body()
  }

  /// Switches between pictures and notes.
  func watch(_ isWatched: Bool) {
    state.withLock { state in
      state.isWatched = isWatched
      StandardStreams.write(Self.erasure(&state), to: stream)
    }
  }

  /// Replaces the rows by a picture, cut to the screen.
  func show(picture: [String]) {
    guard isAddressable else { return }
    let room = max(1, StandardStreams.rows - 2)
    let columns = StandardStreams.columns
    let lines = picture.prefix(room).map { Self.cut("  " + $0, to: columns) }
    state.withLock { replace(&$0, with: lines) }
  }

  /// Replaces the rows by a dim note; nil removes it.
  func show(note: String?) {
    guard isAddressable else { return }
    let line = note.map { "  " + $0.printable(atMost: StandardStreams.columns - 3) }
    state.withLock { state in
      if !state.isWatched, state.prompt == nil, line != nil || !state.rows.isEmpty {
        replace(&state, with: line.map { [$0] } ?? [], isDim: true)
      }
    }
  }

  private static func cut(_ line: String, to columns: Int) -> String {
    var line = line
    while line.widthInColumns > columns { line.removeLast() }
    return line
  }

  private func replace(_ state: inout State, with lines: [String], isDim: Bool = false) {
    if lines == state.rows { return }
    let erasure = Self.erasure(&state)
    state.rows = lines
    let shown = isDim ? lines.map { "\u{1B}[2m" + $0 + "\u{1B}[0m" } : lines
    StandardStreams.write(erasure + shown.map { $0 + "\n" }.joined(), to: stream)
  }

  /// Returns the sequence that erases the rows. A terminal that has become narrower shows some of them in several rows.
  private static func erasure(_ state: inout State) -> String {
    defer { state.rows = [] }
    let columns = StandardStreams.columns
    let count = state.rows.reduce(0) { $0 + max(1, ($1.widthInColumns + columns - 1) / columns) }
    return count == 0 ? "" : "\r\u{1B}[\(count)A\u{1B}[J"
  }
}
