import CVirtualTime

/// Returns the return addresses of the calling functions.
enum ReturnAddresses {
  /// Returns the return addresses of the calling functions, the innermost first.
  static func ofCallers() -> [UInt] {
    [UInt](unsafeUninitializedCapacity: Int(CVT_FRAMES)) { buffer, count in
      count = Int(cvt_callers(buffer.baseAddress, CVT_FRAMES, 0))
    }
  }
}
