import CVirtualTime

/// How the standard library seeds its hashing.
package enum Hashing {
  /// Takes the chance out of it, so that code which walks a dictionary does the same in each run.
  ///
  /// To be called before anything is hashed in the process, since that is not found again. False where the
  /// runtime does not offer it.
  package static func makeDeterministic() -> Bool { cvt_make_hashing_deterministic() }
}
