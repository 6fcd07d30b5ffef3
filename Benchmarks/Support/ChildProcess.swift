import LibC

/// Runs another program to its end.
enum ChildProcess {
  struct End {
    /// Its exit code; 128 and the signal's number if a signal ended it.
    let status: Int
    /// The CPU time that it and its children used, including system time.
    let cpuSeconds: Double
    let seconds: Double
    /// The peak memory of it or of a child that it waited for.
    let mostBytes: Int
  }

  /// The streams of a program that are not shown.
  enum Hidden: Int32 {
    case nothing, output, outputAndErrors
  }

  /// Runs a program with its arguments; nil if it cannot be started. Hides its standard output if `isSilent` is true.
  static func run(_ arguments: [String], isSilent: Bool = false) -> End? {
    run(arguments, in: nil, hiding: isSilent ? .output : .nothing)
  }

  /// Runs a program in a folder.
  static func run(_ arguments: [String], in folder: String?, hiding hidden: Hidden) -> End? {
    // Swift cannot import the function for the working folder from every C library.
    let changing = folder.map { ["sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
    let arguments = changing + arguments
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var actions = noActions()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for stream in 0..<hidden.rawValue {
      posix_spawn_file_actions_addopen(&actions, stream + 1, "/dev/null", O_WRONLY, 0)
    }
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
      seconds: start.duration(to: .now) / .seconds(1),
      mostBytes: bytes(usage.ru_maxrss)
    )
  }

  /// Linux counts in kilobytes.
  #if canImport(Darwin)
  private static func bytes(_ size: Int) -> Int { size }
  #else
  private static func bytes(_ size: Int) -> Int { size * 1_024 }
  #endif

  #if canImport(Darwin)
  static func noActions() -> posix_spawn_file_actions_t? { nil }
  #else
  static func noActions() -> posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
  #endif

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
