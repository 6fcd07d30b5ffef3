import RehearsalBase

/// A hint for a mistake: advice, the possibilities in general, or `did you mean …?`.
package enum Hint: Equatable, Sendable {
  case advice(String)
  /// What is possible at the place in general, as a list or an example. A better hint replaces it.
  case general(String)
  /// What was probably meant, in its quotes.
  case suggestion(String)

  /// Returns the candidate that was probably meant by `word`, if one is near enough.
  package static func nearest(
    to word: String,
    in candidates: some Sequence<String>
  ) -> Hint? {
    Suggestion.meant(by: word, in: candidates).map { .suggestion("'\($0)'") }
  }

  package var text: String {
    switch self {
    case .advice(let text), .general(let text): text
    case .suggestion(let meant): "did you mean \(meant)?"
    }
  }

  package var isGeneral: Bool { if case .general = self { true } else { false } }
  package var isSuggestion: Bool { if case .suggestion = self { true } else { false } }
}
