import LibC

/// Signals that are waited for instead of handled: those that end the program, and one of its own.
///
/// Made before any thread begins, since a thread inherits what it leaves to others.
struct WaitedSignals {
  private let ending: [CInt] = [SIGINT, SIGTERM, SIGHUP]

  init() {
    var blocked = Self.set(ending + [SIGUSR1, SIGALRM])
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
  }

  /// Waits until somebody wants the program to end.
  func waitForEnd() { wait(for: ending) }

  /// Ends `waitForWake`; any thread may.
  var wake: @Sendable () -> Void {
    { kill(getpid(), SIGUSR1) }
  }

  /// Waits until `wake`, for so long at most, or until somebody wants the program to end.
  func waitForWake(seconds: UInt32) {
    alarm(seconds)
    wait(for: ending + [SIGUSR1, SIGALRM])
  }

  private func wait(for signals: [CInt]) {
    var waited = Self.set(signals)
    var signal: CInt = 0
    sigwait(&waited, &signal)
  }

  private static func set(_ signals: [CInt]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}

/// How many files and sockets this process may have open.
enum OpenFiles {
  private static let wanted: rlim_t = 8_192

  /// Asks for as many as a server needs; where that is refused, it goes with less.
  static func allowMany() {
    var limit = rlimit()
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    setrlimit(resource, &limit)
  }
}
