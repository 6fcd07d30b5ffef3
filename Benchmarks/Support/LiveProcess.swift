import LibC

/// A program that runs until it is ended, and its output so far.
struct LiveProcess {
  private let process: pid_t
  private let output: Int32

  /// Starts a program with its arguments; nil if it cannot be started.
  init?(_ arguments: [String]) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var actions = ChildProcess.noActions()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var child = pid_t()
    guard posix_spawnp(&child, arguments[0], &actions, nil, &words, environ) == 0 else {
      close(ends[0])
      return nil
    }
    process = child
    output = ends[0]
  }

  /// Waits until it has written a text; false if it ends before that, or after ten seconds.
  func hasWritten(_ text: String) -> Bool {
    var written = ""
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while !written.contains(text) {
      var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 10_000) == 1 else { return false }
      let count = read(output, &chunk, chunk.count)
      guard count > 0 else { return false }
      written += String(decoding: chunk[..<count], as: UTF8.self)
    }
    return true
  }

  /// Ends it.
  func end() {
    kill(process, SIGTERM)
    waitpid(process, nil, 0)
    close(output)
  }
}
