/// Masks the secrets in a request's target, for the lines that `serve` prints.
package enum MaskedText {
  /// Returns a request target, `/path?query`, with its secrets masked.
  package static func target(_ target: String) -> String { Masker().masked(target) }
}
