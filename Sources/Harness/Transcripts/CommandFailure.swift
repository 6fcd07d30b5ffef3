/// How a command failed: an error of its own, or of something that happened while it was performed.
package struct CommandFailure: Sendable, Equatable {
  /// Whether something was to be checked: an expectation or a run assertion that did not hold, or that could not be read.
  package let isAssertion: Bool
  /// The line of output that says so; nil if no single line does.
  package let line: String?

  package init(isAssertion: Bool, line: String?) {
    (self.isAssertion, self.line) = (isAssertion, line)
  }
}

/// A command of a transcript that failed, though its output is as expected.
package struct FailingCommand: Sendable, Equatable {
  package enum Kind: Int, Sendable {
    /// It checks something, or was to end its process: a known bug, or an example of one.
    case assertion
    /// No expected line says that it fails: `...` or a pattern stands there.
    case hidden
    /// An expected line says that it fails.
    case shown
  }

  /// Which command of its transcript it is, from 0.
  package let block: Int
  /// The line of the file, from 1.
  package let line: Int
  package let kind: Kind
  /// What it printed to say so; empty if no single line does.
  package let text: String

  package init(block: Int, line: Int, kind: Kind, text: String) {
    (self.block, self.line, self.kind, self.text) = (block, line, kind, text)
  }

  /// What an expected failure is called in reports.
  package var words: String {
    switch kind {
    case .assertion: "expects a failure"
    case .hidden: "expects a failure that no line shows"
    case .shown: "fails as expected"
    }
  }

  /// A line about it, in the file of that path.
  func sentence(in path: String) -> String {
    "\(FailureText.quoted(path)):\(line): \(words)" + (text.isEmpty ? "" : ": \(text)")
  }
}

extension FailingCommand {
  func write(to writer: inout ByteWriter) {
    writer.write(block)
    writer.write(line)
    writer.write(kind.rawValue)
    writer.write(text)
  }

  init?(from reader: inout ByteReader) {
    guard let block = reader.number(), let line = reader.number(),
      let kind = reader.number().flatMap(Kind.init), let text = reader.text()
    else { return nil }
    self.init(block: block, line: line, kind: kind, text: text)
  }
}
