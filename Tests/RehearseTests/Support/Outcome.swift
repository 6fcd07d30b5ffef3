import Foundation
import LibC
import Synchronization
import Workers

/// The output and the exit code of a program without a terminal.
struct Outcome {
  let output: String
  let errors: String
  /// The exit code, or minus the signal that ended it.
  let code: Int32

  var lines: [Substring] { output.split(separator: "\n") }
}

struct TookTooLong: Error {
  let output: String
}

extension Workplace {
  /// Runs the program, with standard input from `input`, until it ends.
  ///
  /// - Throws: `TookTooLong` if it does not end within a long limit. Then it is killed.
  func rehearse(
    _ arguments: String...,
    input: String = "",
    environment more: [String: String] = [:],
    before: String = "",
    after: String = ""
  ) throws -> Outcome {
    try rehearse(
      arguments,
      input: Array(input.utf8),
      environment: more,
      before: before,
      after: after
    )
  }

  func rehearse(
    _ arguments: [String],
    input: [UInt8],
    environment more: [String: String] = [:],
    before: String = "",
    after: String = ""
  ) throws -> Outcome {
    let name = ".\(UUID().uuidString)"
    try write(name, input)
    defer { unlink("\(path)/\(name)") }
    let running = try Self.spawn(
      ["/bin/sh"] + shellArguments(arguments, before: before, after: after),
      environment: environment.merging(more) { $1 },
      input: "\(path)/\(name)",
      errors: "\(path)/\(name).errors"
    )
    let errors = name + ".errors"
    defer { unlink("\(path)/\(errors)") }
    let (output, hasEnded) = Self.readAll(running.output)
    close(running.output)
    if !hasEnded { kill(running.process, SIGKILL) }
    var status: Int32 = 0
    waitpid(running.process, &status, 0)
    guard hasEnded else { throw TookTooLong(output: output) }
    let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    return Outcome(output: output, errors: read(errors), code: code)
  }

  /// Only one start at a time, because a program must not inherit a pipe that is created for another one.
  private static let spawning = Mutex(())

  private static func spawn(
    _ arguments: [String],
    environment: [String: String],
    input: String,
    errors: String
  ) throws -> (process: pid_t, output: Int32) {
    try spawning.withLock { _ in
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
      defer { close(ends[1]) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let process = try SpawnedProcess(
        program: arguments[0],
        arguments: arguments,
        environment: environment.map { "\($0.key)=\($0.value)" },
        streams: [
          .file(input, flags: O_RDONLY), .descriptor(ends[1]),
          .file(errors, flags: O_WRONLY | O_CREAT),
        ],
        hasOwnGroup: false,
        // Inherited descriptors are closed, so that tests with a limit of descriptors do not depend on them.
        closesInherited: true
      )
      return (process.id, ends[0])
    }
  }

  /// Reads until all writers are closed; false after a minute without a byte.
  private static func readAll(_ descriptor: Int32) -> (text: String, hasEnded: Bool) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let isReady = poll(&watched, 1, 300_000)
      if isReady < 0, errno == EINTR { continue }
      let count = isReady > 0 ? LibC.read(descriptor, &chunk, chunk.count) : -1
      if count < 0, isReady > 0, errno == EINTR { continue }
      guard count > 0 else { return (String(decoding: bytes, as: UTF8.self), count == 0) }
      bytes += chunk[..<count]
    }
  }
}
