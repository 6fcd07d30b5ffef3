import LineEditing
import MockHTTPServer
import Synchronization

/// A display for requests over a socket, which appear above the prompt.
///
/// They are not part of the session, because they differ in every run.
final class RequestNotes: Sendable {
  private let messages = Mutex<PostedMessages?>(nil)

  /// Shows later requests above a prompt.
  func show(above messages: PostedMessages) {
    self.messages.withLock { $0 = messages }
  }

  /// Shows a request. Callable on any thread. Requests of the session's loads are printed elsewhere. Others are printed as
  /// comments, so that the screen can be pasted into a transcript.
  func add(_ request: ServedRequest) {
    if request.member == nil { messages.withLock { $0?.post("# " + request.line) } }
  }
}
