internal import CForking
// The environment is a C variable; this file does not change it.
@preconcurrency package import LibC

/// A process that runs another program.
package struct SpawnedProcess: Sendable {
  package let id: Int32

  /// The connection of a standard stream of the program.
  package enum Stream: Sendable {
    case descriptor(Int32)
    /// The file at a path, opened with the flags of `open`.
    case file(String, flags: Int32)

    package static let nothing = file("/dev/null", flags: O_RDWR)
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: its path, or a name that the search path of the system finds.
  ///   - arguments: all of them, with the name of the program first.
  ///   - environment: as `NAME=VALUE`; nil for that of this process.
  ///   - folder: the working folder; nil for that of this process.
  ///   - streams: standard input, output and error, in this order. Missing ones are those of this process.
  ///   - hasOwnGroup: whether it leads a new process group, so that signals of the terminal do not reach it.
  ///   - resetsSignals: whether no signal is blocked or ignored at its start, even if this process blocks or ignores it.
  ///   - closesInherited: whether it inherits only the standard streams.
  /// - Throws: the error of the system if it cannot start the program.
  package init(
    program: String,
    arguments: [String],
    environment: [String]? = nil,
    folder: String? = nil,
    streams: [Stream] = [],
    hasOwnGroup: Bool = true,
    resetsSignals: Bool = false,
    closesInherited: Bool = false
  ) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let folder {
      let code = cfk_begin_in(&actions, folder)
      guard code == 0 else { throw SystemError(code: code) }
    }
    for (number, stream) in zip(Int32(0)..., streams) {
      switch stream {
      case .descriptor(let file): posix_spawn_file_actions_adddup2(&actions, file, number)
      case .file(let path, let flags):
        posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
      }
    }
    if closesInherited {
      let code = cfk_close_inherited(&actions)
      guard code == 0 else { throw SystemError(code: code) }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var flags: Int16 = 0
    if hasOwnGroup {
      flags |= Int16(POSIX_SPAWN_SETPGROUP)
      posix_spawnattr_setpgroup(&attributes, 0)
    }
    if resetsSignals {
      flags |= Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
      var signals = sigset_t()
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      sigfillset(&signals)
      posix_spawnattr_setsigdefault(&attributes, &signals)
    }
    posix_spawnattr_setflags(&attributes, flags)
    let words = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { $0.map { strdup($0) } + [nil] }
    defer { for text in words + (variables ?? []) { free(text) } }
    var process: pid_t = 0
    let code =
      if let variables {
        posix_spawnp(&process, program, &actions, &attributes, words, variables)
      } else {
        posix_spawnp(&process, program, &actions, &attributes, words, environ)
      }
    guard code == 0 else { throw SystemError(code: code) }
    id = process
  }

  /// Sends a signal to the process.
  package func send(signal: Int32) { kill(id, signal) }

  /// Kills the process and its group.
  package func killGroup() { kill(-id, SIGKILL) }

  /// Waits until the process has ended.
  package func wait() -> ProcessEnd {
    ProcessEnd.wait(for: id, blocking: true) ?? .status(-1)
  }
}
