import CForking

// The environment is a variable of C's; nothing here changes it.
#if canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#elseif canImport(Darwin)
@preconcurrency import Darwin
#endif

/// A run of `PROGRAM test …` in a process of its own: for whoever has threads, and so cannot make
/// workers.
///
/// It has a process group of its own, too, so that all its workers end with it.
package struct TestProcess {
  private let process: pid_t
  private let pipe: Int32

  /// Starts the program in a folder; nil where that is not possible.
  package init?(program: String, arguments: [String], folder: String) {
    var ends: [Int32] = [-1, -1]
    guard Self.makePipe(&ends) else { return nil }
    defer { close(ends[1]) }
    let words = [ProgramName.current, "test"] + arguments
    guard let process = Self.spawn(program, words, folder: folder, output: ends[1]) else {
      close(ends[0])
      return nil
    }
    self.process = process
    pipe = ends[0]
  }

  /// Waits for text, for so long at most; nothing when there was none, nil at its end.
  package func read(withinMilliseconds limit: Int32) -> [UInt8]? {
    var polled = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, limit) > 0 else { return [] }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = FileBytes.read(pipe, &chunk, chunk.count)
    return count > 0 ? Array(chunk[..<count]) : nil
  }

  /// Waits for the end of the program, and says what it ended with.
  package func end() -> ProcessControl.End {
    close(pipe)
    return ProcessControl.wait(for: process, blocking: true) ?? .status(-1)
  }

  /// Ends the program and its workers.
  package func kill() {
    _ = systemKill(-process, SIGKILL)
    _ = end()
  }

  private static func makePipe(_ ends: inout [Int32]) -> Bool {
    guard systemPipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return true
  }

  private static func spawn(
    _ program: String,
    _ words: [String],
    folder: String,
    output: Int32
  ) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard cfk_begin_in(&actions, folder) == 0 else { return nil }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, &attributes, arguments, environ)
    return code == 0 ? process : nil
  }
}

// What a method or a property of the same name hides.
private func systemKill(_ process: pid_t, _ signal: Int32) -> Int32 { kill(process, signal) }
private func systemPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }
