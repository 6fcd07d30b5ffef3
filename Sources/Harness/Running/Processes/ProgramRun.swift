import CForking

// The environment is a variable of C's; nothing here changes it.
#if canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#elseif canImport(Darwin)
@preconcurrency import Darwin
#endif

/// A run of this program in a process of its own: for whoever has threads, and so cannot make workers.
///
/// It has a process group of its own, too, so that all its workers end with it.
package struct ProgramRun {
  private let process: pid_t
  private let pipe: Int32

  /// Starts the program in a folder; nil where that is not possible.
  ///
  /// - Parameters:
  ///   - program: its path.
  ///   - arguments: without its name.
  ///   - folder: where it begins.
  ///   - input: what it reads from standard input; it has to read all of it before it does anything else.
  ///   - hearsErrors: whether `read` gives what it writes to standard error, too; else nobody does.
  package init?(
    program: String,
    arguments: [String],
    folder: String,
    input: [UInt8] = [],
    hearsErrors: Bool
  ) {
    guard let (output, told) = Self.makePipe() else { return nil }
    defer { close(told) }
    guard let (asked, question) = Self.makePipe() else {
      close(output)
      return nil
    }
    defer { close(question) }
    let words = [ProgramName.current] + arguments
    let streams = [asked, told, hearsErrors ? told : nil]
    let process = Self.spawn(program, words, folder: folder, streams)
    close(asked)
    guard let process else {
      close(output)
      return nil
    }
    self.process = process
    pipe = output
    // One that is gone is noticed where its output is read.
    let before = signal(SIGPIPE, SIG_IGN)
    try? FileBytes.write(input, to: question)
    signal(SIGPIPE, before)
  }

  /// Waits for text, for so long at most; nothing when there was none, nil at its end.
  package func read(withinMilliseconds limit: Int32) -> [UInt8]? {
    var polled = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, limit) > 0 else { return [] }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = FileBytes.read(pipe, &chunk, chunk.count)
    return count > 0 ? Array(chunk[..<count]) : nil
  }

  /// Asks the program to come to an end, as Ctrl-C does.
  package func interrupt() { _ = systemKill(process, SIGINT) }

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

  private static func makePipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  // `streams` become standard input, output and error; nil is nothing.
  private static func spawn(
    _ program: String,
    _ words: [String],
    folder: String,
    _ streams: [Int32?]
  ) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard cfk_begin_in(&actions, folder) == 0 else { return nil }
    for (number, stream) in zip(Int32(0)..., streams) {
      if let stream {
        posix_spawn_file_actions_adddup2(&actions, stream, number)
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
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
