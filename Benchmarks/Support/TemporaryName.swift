import LibC

/// Names that nothing else has, for what a benchmark leaves until it ends.
enum TemporaryName {
  /// A new folder; nil when the disk does not take it.
  static func folder() -> String? { make { mkdtemp($0) != nil } }

  /// A new file that is empty; nil when the disk does not take it.
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
