import LineEditing
import Rehearsal
import Script

/// Connects the prompt's completion, hints, `?` and colours with the session; decides the style of each colour.
extension SessionHost {
  /// Connects completion, hints and colours of an editor to the session, for a line that may continue the incomplete
  /// command in `begun`.
  func dress(_ editor: LineEditor, after begun: String) {
    let start = begun.isEmpty ? "" : begun + "\n"
    editor.completion = { [self] in LineEditor.Completion(completion(of: start + $0)) }
    editor.hint = { [self] in hint(after: start + $0) }
    editor.explanation = { [self] in
      // The editor indents the lines by two columns, and leaves the last one free.
      explanation(of: start + $0, width: StandardStreams.columns - 3)
    }
    let startCount = start.unicodeScalars.count
    editor.colours = { [self] text in
      colours(of: start + text).compactMap { $0.colouring(after: startCount) }
    }
    // The history has whole commands, not their continuation lines.
    editor.suggestsHistory = begun.isEmpty
  }
}

extension Session.ColouredPart {
  /// Returns the colouring in a line that begins after `start` scalars.
  fileprivate func colouring(after start: Int) -> LineEditor.Colouring? {
    guard let style = role.style, range.upperBound > start else { return nil }
    return LineEditor.Colouring(max(0, range.lowerBound - start)..<range.upperBound - start, style)
  }
}

extension LineEditor.Completion {
  fileprivate init(_ completion: Completion) {
    self.init(
      replacing: completion.replacing,
      candidates: completion.candidates.map {
        LineEditor.Candidate(
          text: $0.text,
          description: $0.description,
          endsWord: !$0.text.hasSuffix("/")
        )
      },
      moreCount: completion.moreCount,
      common: completion.common
    )
  }
}

extension SyntaxMark.Role {
  /// The style, in basic colours that are readable on light and dark backgrounds.
  fileprivate var style: LineEditor.Style? {
    switch self {
    case .verb: .init("1")
    case .keyword: .init("36")
    case .member: .init("34")
    case .string: .init("32")
    case .number, .duration: .init("35")
    case .comment: .init("2")
    case .mistake: .init("31")
    case .name, .type, .policy, .value: nil
    }
  }
}
