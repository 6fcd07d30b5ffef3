package import RehearsalBase

/// The receiver of a session's output, line by line.
package protocol OutputSink: AnyObject, Sendable {
  @MainActor func print(_ line: OutputLine)
}

/// Passes on each line as plain text.
final class TextSink: OutputSink {
  private let write: @MainActor (String) -> Void

  init(_ write: @escaping @MainActor (String) -> Void) { self.write = write }

  func print(_ line: OutputLine) { write(line.text) }
}
