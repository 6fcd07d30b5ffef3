#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells as often as it is asked whether this process has only the thread that asks. A copy of the process needs one of
/// its own: the folder that is open stays that of who opened it.
struct ThreadWatch {
  #if os(Linux)
  /// Kept open: looking for it each time takes five times as long.
  private let folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)

  var isSingleThreaded: Bool {
    var status = stat()
    // Where no more files can be opened, the folder is looked for.
    let result = folder < 0 ? stat("/proc/self/task", &status) : fstat(folder, &status)
    // It has a subfolder for each thread, and each is one more link, beside two of its own.
    return result != 0 || status.st_nlink <= 3
  }

  func end() { close(folder) }
  #else
  var isSingleThreaded: Bool { pthread_is_threaded_np() == 0 }

  func end() {}
  #endif
}

/// What Swift hides of the system's processes.
package enum ProcessControl {
  /// Whether this process has only the thread that asks.
  package static var isSingleThreaded: Bool {
    let threads = ThreadWatch()
    defer { threads.end() }
    return threads.isSingleThreaded
  }

  /// Waits for a child of ours; nil while it runs and `blocking` is false.
  static func wait(for child: pid_t, blocking: Bool) -> End? {
    var usage = rusage()
    return wait(for: child, blocking: blocking, usage: &usage)
  }

  /// Waits for a child of ours, and says what it had used.
  static func wait(for child: pid_t, blocking: Bool, usage: inout rusage) -> End? {
    var status: Int32 = 0
    while true {
      let found = wait4(child, &status, blocking ? 0 : WNOHANG, &usage)
      if found == 0 { return nil }
      if found == child { return End(status) }
      if errno != EINTR { return .status(-1) }
    }
  }

  /// How a process ended.
  package enum End: Equatable {
    case status(Int)
    case signal(Int)

    fileprivate init(_ status: Int32) {
      let signal = Int(status & 0x7F)
      self = signal == 0 ? .status(Int(status >> 8 & 0xFF)) : .signal(signal)
    }
  }

  /// Real time that only moves forward, in milliseconds.
  package static var milliseconds: Int { microseconds / 1_000 }

  /// Real time that only moves forward, in microseconds.
  static var microseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1_000
  }

  package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
