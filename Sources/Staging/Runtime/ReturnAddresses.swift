import CVirtualTime

/// Returns the return addresses of the calling functions.
enum ReturnAddresses {
  /// Returns the return addresses of the calling functions, the innermost first.
  static func ofCallers() -> [UInt] {
    [UInt](unsafeUninitializedCapacity: Int(CVT_FRAMES)) { buffer, count in
      count = Int(cvt_callers(buffer.baseAddress, CVT_FRAMES, 0))
    }
  }

  /// The same by the frame pointers. In a signal handler, it misses the interrupted function.
  static func ofFrames() -> [UInt] {
    [UInt](unsafeUninitializedCapacity: Int(CVT_FRAMES)) { buffer, count in
      count = Int(cvt_callers_by_frames(buffer.baseAddress, CVT_FRAMES))
    }
  }
}
