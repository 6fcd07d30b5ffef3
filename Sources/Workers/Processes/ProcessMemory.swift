import LibC

/// The memory usage of processes, and limits for it.
package enum ProcessMemory {
  /// Returns the resident memory of a process, in bytes; nil if it is unknown.
  static func residentBytes(of process: pid_t) -> Int? {
    statistics("/proc/\(process)/statm")?[1]
  }

  /// Limits the data of this process to its current size and `bytes` more. Allocations beyond that fail, and mostly trap;
  /// reserving addresses is still possible.
  static func limitData(toFurther bytes: Int) {
    #if os(Linux)
    guard let used = statistics("/proc/self/statm")?[5] else { return }
    var limit = rlimit()
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    #else
    let resource = RLIMIT_DATA
    #endif
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(
      limit.rlim_max,
      rlim_t(clamping: used.addingReportingOverflow(bytes).partialValue)
    )
    setrlimit(resource, &limit)
    #endif
  }

  /// The peak memory of this process so far, in bytes.
  package static var peakBytes: Int {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    return peakBytes(usage)
  }

  /// Returns the peak memory of a process that has ended, in bytes.
  static func peakBytes(_ usage: rusage) -> Int {
    #if canImport(Darwin)
    Int(usage.ru_maxrss)
    #else
    Int(usage.ru_maxrss) << 10
    #endif
  }

  /// Whether a line is a message of the Swift runtime or the C library about a failed allocation.
  static func isRefusal(_ line: String) -> Bool {
    ["ould not allocate memory", "ailed to allocate", "bad_alloc", "annot allocate memory"]
      .contains { line.contains($0) }
  }

  /// Returns the page counts that Linux reports for a process, as bytes.
  private static func statistics(_ path: String) -> [Int]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = Descriptor.read(file, &text, text.count)
    let pages = text.prefix(max(0, count)).split { $0 < UInt8(ascii: "0") }
      .map { $0.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
    return pages.count == 7 ? pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
  }
}
