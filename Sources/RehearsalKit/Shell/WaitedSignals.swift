import LibC

/// Blocked signals to wait for: those that end the program, and one to wake it.
///
/// Create it before any thread, because threads inherit the blocked signals.
struct WaitedSignals {
  private let ending: [CInt] = [SIGINT, SIGTERM, SIGHUP]

  init() {
    var blocked = Self.set(ending + [SIGUSR1, SIGALRM])
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
  }

  /// Waits for a signal that ends the program.
  func waitForEnd() { wait(for: ending) }

  /// Ends `waitForWake`. Callable on any thread.
  var wake: @Sendable () -> Void {
    { kill(getpid(), SIGUSR1) }
  }

  /// Waits for `wake`, a signal that ends the program, or a timeout.
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

/// The limit of open files and sockets of this process.
enum OpenFiles {
  private static let wanted: rlim_t = 8_192

  /// Raises the limit as far as a server needs it and the system allows.
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
