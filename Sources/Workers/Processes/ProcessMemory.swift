import LibC

/// How much memory processes use, and how they are kept from using more.
package enum ProcessMemory {
  /// The memory of a process that is in the machine's, in bytes; nil where that cannot be told.
  static func residentBytes(of process: pid_t) -> Int? {
    statistics("/proc/\(process)/statm")?[1]
  }

  /// Refuses this process more data than it has now and so much besides. What asks for more gets none, and
  /// mostly traps; what only reserves addresses may.
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

  /// The most memory that this process had so far, in bytes.
  package static var peakBytes: Int {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    return peakBytes(usage)
  }

  /// The most memory that a process had which has ended, in bytes.
  static func peakBytes(_ usage: rusage) -> Int {
    #if canImport(Darwin)
    Int(usage.ru_maxrss)
    #else
    Int(usage.ru_maxrss) << 10
    #endif
  }

  /// Whether the runtime or the standard library of C says that an allocation was refused.
  static func isRefusal(_ line: String) -> Bool {
    ["ould not allocate memory", "ailed to allocate", "bad_alloc", "annot allocate memory"]
      .contains { line.contains($0) }
  }

  /// The numbers of pages that Linux tells of a process, as bytes.
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
