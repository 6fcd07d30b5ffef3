import LibC

/// Unique names for temporary files of a benchmark.
enum TemporaryName {
  /// Creates a folder; nil if that fails.
  static func folder() -> String? { make { mkdtemp($0) != nil } }

  /// Creates an empty file; nil if that fails.
  static func file() -> String? {
    make { template in
      let descriptor = mkstemp(template)
      guard descriptor >= 0 else { return false }
      close(descriptor)
      return true
    }
  }

  private static func make(_ create: (UnsafeMutablePointer<CChar>) -> Bool) -> String? {
    var template = Array("/tmp/rehearse-bench.XXXXXX".utf8CString)
    guard create(&template) else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
