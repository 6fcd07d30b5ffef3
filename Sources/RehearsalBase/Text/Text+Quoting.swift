extension String {
  /// The text with its controls escaped, cut to about so many characters: for words quoted from
  /// outside.
  package func printable(atMost limit: Int) -> String {
    let short = unicodeScalars.prefix(limit + 1)
    guard short.count > limit else { return escapingControls }
    return String(String.UnicodeScalarView(short.dropLast())).escapingControls + "…"
  }

  /// Behind `a` or `an`.
  package var withArticle: String {
    (first.map { "aeiou".contains($0) } == true ? "an " : "a ") + self
  }
}
