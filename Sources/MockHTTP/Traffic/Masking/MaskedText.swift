/// Text for people to see, the secrets in it masked.
package enum MaskedText {
  /// The target of a request, `/path?query`, as a recording of it would have it.
  package static func target(_ target: String) -> String { Masker().masked(target) }
}
