import LineEditing
import MockHTTPServer
import Synchronization

/// Shows requests that came over a socket above the prompt, as they come.
///
/// They are no part of the session: who asks, and when, differs in every run.
final class RequestNotes: Sendable {
  private let messages = Mutex<PostedMessages?>(nil)

  /// From now on requests are shown above this prompt.
  func show(above messages: PostedMessages) {
    self.messages.withLock { $0 = messages }
  }

  /// For any thread. A session's own loads tell themselves; others are comments, should somebody paste
  /// what stands on the screen into a transcript.
  func add(_ request: ServedRequest) {
    if request.member == nil { messages.withLock { $0?.post("# " + request.line) } }
  }
}
