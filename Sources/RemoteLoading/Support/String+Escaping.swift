import RehearsalBase

extension String {
  /// The text with its control characters spelled out: it may come from outside, and be printed.
  var escapingControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      text += scalar.isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
  }

  /// The text in quotes, cut to so many characters.
  func quoted(within limit: Int = 40) -> String {
    let shown = count > limit ? prefix(limit) + "…" : self[...]
    return "\"\(String(shown).escapingControls)\""
  }
}

extension Unicode.Scalar {
  /// Also what reorders the text around it, or begins a new line.
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
