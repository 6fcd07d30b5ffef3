import LineEditing
import Rehearsal
import Script
import Synchronization

/// The shell's output: lines that stay, and below them something that does not, on a terminal that can take
/// it back. For any thread.
final class ShellScreen: Sendable {
  private let isAddressable: Bool
  private let state = Mutex(State())

  private struct State {
    /// The rows that are to be taken back.
    var rows: [String] = []
    var isWatched = false
    /// The prompt above which lines go.
    var prompt: PostedMessages?
  }

  init(isForPeople: Bool) {
    isAddressable =
      isForPeople && StandardStreams.isTerminal(1) && StandardStreams.isSmartTerminal
  }

  /// Writes what stays, in whole lines.
  func write(_ text: String) {
    state.withLock { state in
      if let prompt = state.prompt { return prompt.post(text) }
      StandardStreams.write(Self.erasure(&state) + text)
    }
  }

  /// What `body` prints appears above the prompt.
  func whileOutputGoes<T>(to prompt: PostedMessages, _ body: () -> T) -> T {
    state.withLock { $0.prompt = prompt }
    defer { state.withLock { $0.prompt = nil } }
    return body()
  }

  /// Says that pictures are shown until further notice, and no notes.
  func watch(_ isWatched: Bool) {
    state.withLock { state in
      state.isWatched = isWatched
      StandardStreams.write(Self.erasure(&state))
    }
  }

  /// Shows a picture in the place of what was shown before, as much as fits the screen.
  func show(picture: [String]) {
    guard isAddressable else { return }
    let room = max(1, StandardStreams.rows - 2)
    state.withLock { Self.replace(&$0, with: picture.prefix(room).map { "  " + $0 }) }
  }

  /// Shows a dim note in the place of the one before; nil takes it away.
  func show(note: String?) {
    guard isAddressable else { return }
    let line = note.map {
      "\u{1B}[2m  " + $0.printable(atMost: StandardStreams.columns - 3) + "\u{1B}[0m"
    }
    state.withLock { state in
      if !state.isWatched, state.prompt == nil, line != nil || !state.rows.isEmpty {
        Self.replace(&state, with: line.map { [$0] } ?? [])
      }
    }
  }

  private static func replace(_ state: inout State, with lines: [String]) {
    if lines == state.rows { return }
    let erasure = erasure(&state)
    state.rows = lines
    StandardStreams.write(erasure + lines.map { $0 + "\n" }.joined())
  }

  private static func erasure(_ state: inout State) -> String {
    defer { state.rows = [] }
    return state.rows.isEmpty ? "" : "\r\u{1B}[\(state.rows.count)A\u{1B}[J"
  }
}
