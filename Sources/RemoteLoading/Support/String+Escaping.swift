import RehearsalBase

/// Escapes control characters of received text, and quotes its beginning.
extension String {
  /// The text with control characters spelled out, for printing text from outside.
  var escapingControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      text += scalar.isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
  }

  /// Returns the text in quotes, cut to a number of characters.
  func quoted(within limit: Int = 40) -> String {
    let shown = count > limit ? prefix(limit) + "…" : self[...]
    return "\"\(String(shown).escapingControls)\""
  }
}

extension Unicode.Scalar {
  /// Whether the character is a control character, reorders text, or begins a new line.
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
