/// A failure of a command; and the commands that fail although their output is as expected, as reports name them.
package struct CommandFailure: Sendable, Equatable {
  /// Whether it is an expectation or a run assertion that did not hold or could not be read.
  package let isAssertion: Bool
  /// The line of output that reports the failure; nil if no single line does.
  package let line: String?

  package init(isAssertion: Bool, line: String?) {
    (self.isAssertion, self.line) = (isAssertion, line)
  }
}

/// A command of a transcript that failed, though its output is as expected.
package struct FailingCommand: Sendable, Equatable {
  package enum Kind: String, Codable, CaseIterable, Sendable {
    /// The command checks something, or must end its process: a known bug, or an example of one.
    case assertion
    /// The command fails without an error line, and `...` is among its expected lines.
    case hidden
    /// An expected line shows the failure.
    case shown
  }

  /// Index of the command in its transcript.
  package let block: Int
  /// Line number in the file, from 1.
  package let line: Int
  package let kind: Kind
  /// The printed line that reports the failure; empty if no single line does.
  package let text: String

  package init(block: Int, line: Int, kind: Kind, text: String) {
    (self.block, self.line, self.kind, self.text) = (block, line, kind, text)
  }

  /// The name of an expected failure in reports.
  package var words: String {
    switch kind {
    case .assertion: "expects a failure"
    case .hidden: "expects a failure that no line shows"
    case .shown: "fails as expected"
    }
  }

  /// Returns a line about it for the file at a path.
  func sentence(in path: String) -> String {
    "\(FailureText.quoted(path)):\(line): \(words)" + (text.isEmpty ? "" : ": \(text)")
  }
}

extension FailingCommand: Codable {
  private enum CodingKeys: String, CodingKey {
    case block = "command"
    case line, kind, text
  }

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    block = try fields.count(.block)
    line = try fields.count(.line)
    kind = try fields.decode(Kind.self, forKey: .kind)
    text = try fields.decode(String.self, forKey: .text)
  }
}
