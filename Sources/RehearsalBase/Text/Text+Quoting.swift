/// Cuts and escapes a text for quotes in messages, and adds `a` or `an`.
extension String {
  /// Escapes controls and cuts the text to about `limit` characters, for quoting input.
  package func printable(atMost limit: Int) -> String {
    let short = unicodeScalars.prefix(limit + 1)
    guard short.count > limit else { return escapingControls }
    return String(String.UnicodeScalarView(short.dropLast())).escapingControls + "…"
  }

  /// Escapes controls and cuts the text as `printable`. A digest of the whole follows a text that is cut.
  package func identifiable(atMost limit: Int) -> String {
    let shown = printable(atMost: limit)
    return shown == escapingControls ? shown : "\(shown) (digest \(FNV1a.shortDigest(of: self)))"
  }

  /// The text with `a` or `an` before it.
  package var withArticle: String {
    (first.map { "aeiou".contains($0) } == true ? "an " : "a ") + self
  }
}
