internal import CLineEdit
import LibC
import Synchronization

/// Prints text from any thread: above the prompt if there is one, otherwise at once.
public final class PostedMessages: Sendable {
  private struct State {
    var isPromptStanding = false
    var waiting: [String] = []
    var wantsRefresh = false
  }

  private let state = Mutex(State())
  let wake: Pipe

  init() throws(SystemError) {
    wake = try Pipe(readsBlock: false)
  }

  /// Prints `text`, and a line break if it does not end in one. Control characters are sent to the terminal unchanged.
  public func post(_ text: String) {
    let mustWake = state.withLock { state in
      guard state.isPromptStanding else {
        Self.write(text)
        return false
      }
      state.waiting.append(text)
      return true
    }
    if mustWake { wake.send(1) }
  }

  /// Makes the current prompt call `LineEditor.idle` and `status` now. Can be called from any thread.
  public func refresh() {
    let mustWake = state.withLock { state in
      state.wantsRefresh = state.isPromptStanding
      return state.isPromptStanding
    }
    if mustWake { wake.send(1) }
  }

  /// Whether `refresh` was called since the last call of this function.
  func takeRefresh() -> Bool {
    state.withLock { state in
      defer { state.wantsRefresh = false }
      return state.wantsRefresh
    }
  }

  /// From now on messages are kept for `take`.
  func promptStands() {
    state.withLock { $0.isPromptStanding = true }
  }

  /// Removes and returns the messages that arrived during the prompt, oldest first.
  func take() -> [String] {
    _ = wake.take()
    return state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Prints the kept messages. From now on messages are printed at once.
  func promptIsGone() {
    _ = wake.take()
    state.withLock { state in
      state.isPromptStanding = false
      state.wantsRefresh = false
      for text in state.waiting { Self.write(text) }
      state.waiting = []
    }
  }

  private static func write(_ text: String) {
    let bytes = lines(of: text).utf8.map { CChar(bitPattern: $0) }
    cle_write(bytes, bytes.count)
  }

  /// Returns a message as whole lines. The carriage returns are for a terminal in editing mode.
  static func lines(of text: String) -> String {
    var lines = ""
    for scalar in text.unicodeScalars {
      if scalar == "\n" { lines.unicodeScalars.append("\r") }
      lines.unicodeScalars.append(scalar)
    }
    return text.utf8.last == UInt8(ascii: "\n") ? lines : lines + "\r\n"
  }
}
