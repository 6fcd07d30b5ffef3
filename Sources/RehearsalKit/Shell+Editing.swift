import LineEditing
import Rehearsal
import Script

extension SessionHost {
  /// Has an editor ask the session what it shows around a line.
  func dress(_ editor: LineEditor) {
    editor.completion = { [self] in LineEditor.Completion(completion(of: $0)) }
    editor.hint = { [self] in hint(after: $0) }
    editor.explanation = { [self] in explanation(of: $0) }
    editor.colours = { [self] text in
      colours(of: text).compactMap { part in
        part.role.style.map { LineEditor.Colouring(part.range, $0) }
      }
    }
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

extension Mark.Role {
  /// Of the colours that every terminal has, those that can be read on light and dark.
  fileprivate var style: LineEditor.Style? {
    switch self {
    case .verb: .init("1")
    case .keyword: .init("36")
    case .member: .init("34")
    case .string: .init("32")
    case .number, .duration: .init("35")
    case .comment: .init("2")
    case .mistake: .init("31")
    case .name, .value: nil
    }
  }
}
