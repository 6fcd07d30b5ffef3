import LibC
import RehearsalBase
import Synchronization
import Workers

/// A running helper: a process with a socket pair as its standard input and output, and a thread that reads its
/// output.
///
/// It has a separate process group, so that Ctrl-C at the prompt does not reach it. It exits at the end of its input,
/// for example when this process dies.
final class HelperProcess: Sendable {
  enum Event {
    case frame(FetchFrame)
    case end(End)
  }

  /// How it ended.
  struct End {
    let words: String
    /// Whether a trap of Swift's runtime ended it.
    let isTrap: Bool
  }

  let process: pid_t
  private let socket: HelperSocket

  /// Starts `program`; nil if that fails.
  ///
  /// - Parameters:
  ///   - program: the path of the helper.
  ///   - receive: called on the helper's reading thread, last with `.end`.
  init?(program: String, receive: @escaping @Sendable (Event) -> Void) {
    guard let (socket, other) = HelperSocket.makePair() else { return nil }
    defer { close(other) }
    // A crash report of Foundation would appear in the middle of a prompt.
    let spawned = try? SpawnedProcess(
      program: program,
      arguments: [program],
      streams: [.descriptor(other), .descriptor(other), .nothing]
    )
    guard let process = spawned?.id else {
      socket.close()
      return nil
    }
    self.process = process
    self.socket = socket
    Self.living.withLock { $0[process] = socket }
    _ = Self.waitsAtExit
    SystemThread { Self.read(from: socket, of: process, receive) }.detach()
  }

  /// Ends the idle helper and waits for it. It cannot refuse, so this takes only the time that the system needs.
  deinit {
    Self.kill { $0 == process }
    Self.waitUntil { $0[process] == nil }
  }

  /// The started helpers that have not been waited for. An id is removed together with the wait for its process, so that
  /// no id in here can belong to another process.
  private static let living = Mutex<[pid_t: HelperSocket]>([:])
  private static let waitsAtExit = atexit { HelperProcess.endAll() } == 0
  /// Whether the current thread reads the output of a helper, and therefore must not wait for it.
  @TaskLocal private static var isReading = false

  /// Maximum wait for a killed helper, in milliseconds. After that it is left to the system.
  private static let killTimeout = 2_000

  /// Ends all helpers and waits for them, so that no zombie processes remain.
  static func endAll() {
    kill { _ in true }
    waitUntil(\.isEmpty)
  }

  /// Ends the helpers that match a condition.
  private static func kill(_ isMeant: (pid_t) -> Bool) {
    living.withLock { living in
      for (process, socket) in living where isMeant(process) {
        socket.stop()
        systemKill(process, SIGKILL)
      }
    }
  }

  /// Waits until a condition holds for the living helpers.
  ///
  /// - Returns: whether it holds within the time that any helper needs to end.
  @discardableResult
  private static func waitUntil(_ holds: ([pid_t: HelperSocket]) -> Bool) -> Bool {
    guard !isReading else { return false }
    for _ in 0..<killTimeout {
      if living.withLock({ holds($0) }) { return true }
      sleepInRealTime(milliseconds: 1)
    }
    return living.withLock { holds($0) }
  }

  /// Sends a whole frame, and blocks until the helper has read the earlier ones.
  ///
  /// - Returns: false if the helper has ended.
  func send(_ frame: FetchFrame) -> Bool { socket.send(frame.bytes) }

  private static func read(
    from socket: HelperSocket,
    of process: pid_t,
    _ receive: (Event) -> Void
  ) {
    var reader = FrameReader(afterGreeting: true)
    var problem: String?
    while problem == nil, let bytes = socket.receive() {
      reader.append(bytes)
      do {
        while let frame = try reader.next() {
          $isReading.withValue(true) { receive(.frame(frame)) }
        }
      } catch is FrameReader.OtherVersion {
        problem = "it is of another version than this program; \(FetchClient.howToGetHelper)"
      } catch {
        problem = "it sent an invalid frame"
      }
    }
    socket.close()
    let end = waitForEnd(of: process)
    receive(.end(problem.map { End(words: $0, isTrap: false) } ?? end))
  }

  private static func waitForEnd(of process: pid_t) -> End {
    var information = siginfo_t()
    // `WNOWAIT` keeps the process id reserved until the next call, which returns at once.
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    let end = living.withLock { living in
      living[process] = nil
      return ProcessEnd.wait(for: process, blocking: true)
    }
    return switch end {
    case .signal(let signal):
      End(words: "signal \(signal) ended it", isTrap: [SIGILL, SIGTRAP].contains(Int32(signal)))
    case .status(let status): End(words: "it ended with status \(status)", isTrap: false)
    case nil: preconditionFailure("A blocking wait has a result.")
    }
  }
}

private func systemKill(_ process: pid_t, _ signal: Int32) { kill(process, signal) }
