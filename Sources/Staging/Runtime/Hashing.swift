import CVirtualTime

/// The seed of the standard library's hashing.
package enum Hashing {
  /// Makes hashing deterministic, so that code that iterates over a dictionary does the same in
  /// each run.
  ///
  /// Call it before anything is hashed in the process: values that were hashed before are not found
  /// afterwards. Returns false if the runtime does not support it.
  package static func makeDeterministic() -> Bool { cvt_make_hashing_deterministic() }
}
