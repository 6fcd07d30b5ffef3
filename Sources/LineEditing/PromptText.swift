/// A prompt in libedit's format: sequences without a width are between markers.
struct PromptText: Equatable {
  /// The visible text, without colours.
  private(set) var visible = ""
  /// The text for libedit.
  private(set) var marked = ""

  private static let marker: Unicode.Scalar = "\u{1}"

  init(_ prompt: String) {
    var pieces = Self.pieces(of: prompt)
    // libedit drops a sequence at the very end, so it is moved before the last visible character.
    if let last = pieces.last, last.isSequence, let index = pieces.lastIndex(where: \.isVisible) {
      pieces.append(pieces.remove(at: index))
    }
    for piece in pieces {
      if piece.isSequence {
        marked.unicodeScalars.append(Self.marker)
        marked.unicodeScalars.append(contentsOf: piece.scalars)
        marked.unicodeScalars.append(Self.marker)
      } else {
        marked.unicodeScalars.append(contentsOf: piece.scalars)
        visible.unicodeScalars.append(contentsOf: piece.scalars)
      }
    }
  }

  /// One visible character or one escape sequence.
  private struct Piece {
    var scalars: [Unicode.Scalar]
    var isSequence: Bool { scalars.first == "\u{1B}" }
    var isVisible: Bool { !isSequence }
  }

  private static func pieces(of prompt: String) -> [Piece] {
    var pieces: [Piece] = []
    var inSequence = false
    for scalar in prompt.unicodeScalars where scalar != marker {
      if inSequence {
        pieces[pieces.count - 1].scalars.append(scalar)
        // A sequence is ESC [, parameters, and one letter.
        inSequence = scalar == "[" || !("@"..."~").contains(scalar)
      } else {
        pieces.append(Piece(scalars: [scalar]))
        inSequence = scalar == "\u{1B}"
      }
    }
    return pieces
  }
}
