extension String {
  /// Escapes controls and cuts the text to about `limit` characters, for quoting input.
  package func printable(atMost limit: Int) -> String {
    let short = unicodeScalars.prefix(limit + 1)
    guard short.count > limit else { return escapingControls }
    return String(String.UnicodeScalarView(short.dropLast())).escapingControls + "…"
  }

  /// The text with `a` or `an` before it.
  package var withArticle: String {
    (first.map { "aeiou".contains($0) } == true ? "an " : "a ") + self
  }
}
