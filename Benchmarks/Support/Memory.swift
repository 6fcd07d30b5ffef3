import LibC

/// The memory of this process.
enum Memory {
  /// The current resident memory in bytes; the peak if the system does not report it.
  static var residentBytes: Int {
    #if os(Linux)
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, 128, file) != nil else { return 0 }
    let numbers = String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: " ")
    return (numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0) * Int(getpagesize())
    #else
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
    #endif
  }

  /// Returns unused memory to the system, so that the next benchmark starts without it.
  static func giveBack() {
    #if canImport(Glibc)
    _ = mallocTrim(0)
    #endif
  }
}

#if canImport(Glibc)
/// Declared here, because the module Glibc does not include its header.
@_silgen_name("malloc_trim") private func mallocTrim(_ pad: Int) -> Int32
#endif
