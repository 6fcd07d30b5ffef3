#if os(Linux) && canImport(Glibc)
import Foundation
import Glibc
import RehearsalTesting
import Synchronization
import Testing

/// Tests with a trait whose code may wait in real time, for less time than the watch of long runs needs.
@Suite struct RealWaitTests {
  /// Performs a function as the body of a test with `.rehearsed`, and returns the warnings.
  private func warnings(
    _ body: @concurrent @Sendable () async throws -> Void
  ) async throws -> [String] {
    let warnings = Mutex<[String]>([])
    let test = try #require(Test.current)
    let trait = RehearsalTrait.rehearsed
    try await withKnownIssue(isIntermittent: true) {
      try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
    } matching: { issue in
      guard case .unconditional = issue.kind, !issue.isFailure else { return false }
      warnings.withLock { $0.append("\(issue.comments.first ?? "")") }
      return true
    }
    return warnings.withLock(\.self)
  }

  /// A pipe that has one byte.
  private final class Ends: Sendable {
    let reading: Int32
    let writing: Int32

    init() {
      var ends: [Int32] = [0, 0]
      precondition(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
      var byte: UInt8 = 1
      precondition(write(writing, &byte, 1) == 1)
    }

    func poll() {
      var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      _ = Glibc.poll(&entry, 1, 100)
    }
    static let lineOfPoll = #line - 2

    deinit {
      close(reading)
      close(writing)
    }
  }

  @Test
  func `a call for a descriptor is named with its function and line, also if it does not wait`()
    async throws
  {
    let ends = Ends()
    let warnings = try await warnings { ends.poll() }
    #expect(
      warnings == [
        """
        a wait by poll in RealWaitTests.Ends.poll() at RealWaitTests.swift:\(Ends.lineOfPoll) is outside of virtual time: \
        no schedule varies it
        """
      ]
    )
  }

  @Test func `a read of a pipe, a wait for a process, and an address by name are named`()
    async throws
  {
    let ends = Ends()
    let warnings = try await warnings {
      var byte: UInt8 = 0
      _ = read(ends.reading, &byte, 1)
      // Another process than a child, so that no other test loses its own.
      _ = waitpid(getpid(), nil, 0)
      var found: UnsafeMutablePointer<addrinfo>?
      _ = getaddrinfo("", nil, nil, &found)
    }
    let calls = warnings.map {
      $0.prefix { $0 != "(" }.split(separator: " in ").first.map(String.init)
    }
    #expect(calls == ["a wait by read", "a wait by waitpid", "a wait by getaddrinfo"])
  }

  @Test func `each process and each wait for one is named`() async throws {
    let warnings = try await warnings {
      for _ in 0..<2 {
        var process = pid_t()
        let arguments = [strdup("true"), nil]
        defer { free(arguments[0]) }
        guard posix_spawn(&process, "/bin/true", nil, nil, arguments, nil) == 0 else { continue }
        waitpid(process, nil, 0)
      }
      // The C library starts and awaits its processes without the functions that are replaced.
      if let stream = popen("true", "r") { pclose(stream) }
    }
    let calls = warnings.map { $0.split(separator: " in ").first.map(String.init) }
    #expect(
      calls == [
        "a process by posix_spawn", "a wait by waitpid", "a process by popen", "a wait by pclose",
      ]
    )
  }

  @Test func `a receiving call of a socket is named`() async throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let (first, second) = (ends[0], ends[1])
    let warnings = try await warnings {
      var byte: UInt8 = 1
      _ = send(first, &byte, 1, 0)
      _ = recv(second, &byte, 1, 0)
      // These do not wait.
      _ = recv(second, &byte, 1, Int32(MSG_DONTWAIT))
    }
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("a wait by recv in ") == true)
  }

  @Test func `calls that do not wait are not named`() async throws {
    let ends = Ends()
    let warnings = try await warnings {
      var entry = pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, 0)
      _ = fcntl(ends.reading, F_SETFL, O_NONBLOCK)
      var byte: UInt8 = 0
      _ = read(ends.reading, &byte, 1)
      _ = waitpid(getpid(), nil, WNOHANG)
      _ = try Data(contentsOf: URL(filePath: #filePath))
      var found: UnsafeMutablePointer<addrinfo>?
      if getaddrinfo("127.0.0.1", nil, nil, &found) == 0 { freeaddrinfo(found) }
    }
    #expect(warnings == [])
  }

  @Test func `poll and select without descriptors sleep in virtual time`() async throws {
    let start = Mutex<Duration?>(nil)
    let warnings = try await warnings {
      let began = ContinuousClock.now
      _ = poll(nil, 0, 3_600_000)
      var time = timeval(tv_sec: 3_600, tv_usec: 0)
      _ = select(0, nil, nil, nil, &time)
      let elapsed = began.duration(to: .now)
      start.withLock { $0 = elapsed }
    }
    #expect(warnings == [])
    #expect(start.withLock(\.self) == .seconds(7_200))
  }

  /// A lock that its creating thread keeps.
  private final class HeldLock: Sendable {
    private let lock = NSLock()

    init() { lock.lock() }

    /// Whether it could be locked in a millisecond.
    func tryAWhile() -> Bool { lock.lock(before: .now + 0.001) }
  }

  @Test func `a wait for a lock that another thread has is named`() async throws {
    let held = HeldLock()
    let warnings = try await warnings { #expect(!held.tryAWhile()) }
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("a wait for a lock that another thread had in ") == true)
  }

  @Test func `a wait for a mutex that another thread has is named`() async throws {
    let mutex = Mutex(0)
    let waiting = Atomic<Int32>(0)
    let isLocked = DispatchSemaphore(value: 0)
    let lock: @Sendable () -> Void = {
      mutex.withLock { _ in
        isLocked.signal()
        while !Self.isAsleep(waiting.load(ordering: .acquiring)) { usleep(1_000) }
      }
    }
    Thread.detachNewThread(lock)
    isLocked.wait()
    let warnings = try await warnings {
      waiting.store(Self.thisThread, ordering: .releasing)
      mutex.withLock { $0 += 1 }
    }
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("a wait for a lock that another thread had in ") == true)
  }

  /// The system's number of the calling thread.
  private static var thisThread: Int32 {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    return link?.split(separator: "/").last.flatMap { Int32($0) } ?? 0
  }

  /// Whether a thread of this process sleeps in the kernel.
  private static func isAsleep(_ thread: Int32) -> Bool {
    guard thread != 0,
      let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8)
    else { return false }
    return status.split(separator: ")").last?.hasPrefix(" S ") == true
  }

  @Test func `a lock that is free is not named`() async throws {
    let lock = NSLock()
    let mutex = Mutex(0)
    let warnings = try await warnings {
      lock.withLock {}
      mutex.withLock { $0 += 1 }
    }
    #expect(warnings == [])
  }
}
#endif
