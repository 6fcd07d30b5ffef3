package import RehearsalBase

/// The receiver of a session's output, line by line.
package struct OutputSink {
  let write: @MainActor (OutputLine) -> Void

  package init(write: @escaping @MainActor (OutputLine) -> Void) {
    self.write = write
  }
}
