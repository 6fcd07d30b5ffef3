#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Another program, run to its end.
enum ChildProcess {
  struct End {
    /// Its exit code; 128 and the signal's number if a signal ended it.
    let status: Int
    /// CPU time that it used, also in the system on its behalf, its own children included.
    let cpuSeconds: Double
    let seconds: Double
  }

  /// Runs a program with its arguments, with its standard output to nowhere if so told; nil when it
  /// cannot be started.
  static func run(_ arguments: [String], isSilent: Bool = false) -> End? {
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var actions = noActions()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if isSilent { posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) }
    let start = ContinuousClock.now
    var child = pid_t()
    guard posix_spawnp(&child, arguments[0], &actions, nil, &words, environ) == 0 else {
      return nil
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 {
      guard errno == EINTR else { return nil }
    }
    let signal = Int(status & 0x7F)
    return End(
      status: signal == 0 ? Int(status >> 8 & 0xFF) : 128 + signal,
      cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      seconds: start.duration(to: .now) / .seconds(1)
    )
  }

  #if canImport(Darwin)
  private static func noActions() -> posix_spawn_file_actions_t? { nil }
  #else
  private static func noActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
  #endif

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
