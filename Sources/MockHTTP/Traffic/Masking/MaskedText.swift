/// Text for display, with its secrets masked.
package enum MaskedText {
  /// Returns a request target, `/path?query`, with its secrets masked.
  package static func target(_ target: String) -> String { Masker().masked(target) }
}
