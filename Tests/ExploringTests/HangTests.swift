import AsyncAlgorithms
import Dispatch
import Exploring
import Foundation
import Synchronization
import Testing

@testable import Staging

/// Hangs as they are reported for published code. `Hangs.txt` has what is said about each; `UPDATE_ISSUES=1` in the
/// environment writes it.
@MainActor @Suite struct HangTests {
  #if DEBUG
  @Test func `each report names what is waited for, and the line`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let file = folder.appending(path: "Hangs.txt")
    let expected = try String(contentsOf: file, encoding: .utf8)
    let reports = try Self.hangs.map { name, body in
      "\n=== \(name)\n" + (try report(body).map { $0 + "\n" }.joined())
    }
    if ProcessInfo.processInfo.environment["UPDATE_ISSUES"] != nil {
      try reports.joined().write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(reports.joined() == expected)
  }

  /// The report of a run in the default schedule. A line of this file is shown as its text. The call of `replay` is left
  /// out.
  private func report(_ body: @escaping @MainActor () async throws -> Void) throws -> [String] {
    let scheduler = ReplayScheduler(Schedule())
    scheduler.keepsTexts = true
    let outcome = Scenario(limit: 10_000, leavesNothing: true) { _ in try await body() }
      .play(scheduler)
    let failure = try #require(outcome.failure)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return ([failure.what] + failure.details).filter { !$0.contains("HangTests.report()") }
      .map { line in
        line.replacing(/(?: at |)HangTests\.swift:(\d+)/) {
          let line = Int($0.output.1).map { source[$0 - 1].trimmingCharacters(in: .whitespaces) }
          return " at «\(line ?? "?")»"
        }
      }
  }
  #endif

  static let hangs: [(String, @MainActor () async throws -> Void)] = [
    ("a callback that is not called after an error", { _ = try await Downloader().data(for: "") }),
    (
      "a continuation that a second call overwrites",
      {
        let permission = Permission()
        async let first: Void = permission.request()
        async let second: Void = permission.request()
        _ = await (first, second)
      }
    ),
    (
      "a cancellation before the continuation exists",
      {
        let task = Task { await Signal().wait() }
        task.cancel()
        await task.value
      }
    ),
    (
      "a signal before the wait",
      {
        let event = Event()
        await event.signal()
        await event.wait()
      }
    ),
    (
      "a semaphore that is not released after an error",
      {
        let semaphore = AsyncSemaphore(1)
        _ = try? await semaphore.withPermit { throw CancellationError() }
        _ = try await semaphore.withPermit { 1 }
      }
    ),
    (
      "a lock that its owner takes again",
      {
        let lock = AsyncSemaphore(1)
        try await lock.withPermit { try await lock.withPermit {} }
      }
    ),
    (
      "two locks in opposite orders",
      {
        let (accounts, log) = (AsyncSemaphore(1), AsyncSemaphore(1))
        async let first: Void = accounts.withPermit {
          await Task.yield()
          try await log.withPermit {}
        }
        async let second: Void = log.withPermit {
          await Task.yield()
          try await accounts.withPermit {}
        }
        _ = try await (first, second)
      }
    ),
    (
      "a task that waits for its own value",
      {
        let box = Box()
        box.task = Task { await box.task?.value }
        await box.task?.value
      }
    ),
    (
      "two tasks that wait for each other",
      {
        let (a, b) = (Box(), Box())
        a.task = Task(name: "session") { await b.task?.value }
        b.task = Task(name: "token") { await a.task?.value }
        await a.task?.value
      }
    ),
    (
      "a cache whose load asks the cache for the same key",
      {
        let cache = ImageCache()
        await cache.image("a")
      }
    ),
    (
      "a stream that is never finished",
      {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        continuation.yield(1)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
      }
    ),
    (
      "a group with an endless child",
      {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await Feed().listen() }
          group.addTask {}
        }
      }
    ),
    (
      "a group whose child ignores cancellation",
      {
        let task = Task {
          await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await Downloader().data(for: "") }
            group.cancelAll()
          }
        }
        task.cancel()
        await task.value
      }
    ),
    (
      "a group in a cancelled parent",
      {
        let task = Task {
          let latch = Latch(1)
          await withTaskGroup(of: Void.self) { group in
            _ = group.addTaskUnlessCancelled { await latch.arrive() }
            await latch.wait()
          }
        }
        task.cancel()
        await task.value
      }
    ),
    (
      "a timeout for code that ignores cancellation",
      {
        let permission = Permission()
        await timeout(.seconds(1)) { await permission.request() }
      }
    ),
    (
      "an async let that nobody awaits",
      {
        async let text = Downloader().data(for: "")
        await Task.yield()
      }
    ),
    ("a channel without a receiver", { await AsyncChannel<Int>().send(1) }),
    (
      "two sides that each wait for the other to be ready",
      {
        let (left, right) = (AsyncChannel<Int>(), AsyncChannel<Int>())
        let client = Task(name: "client") { for await _ in left { await right.send(1) } }
        let server = Task(name: "server") { for await _ in right { await left.send(1) } }
        _ = await (client.value, server.value)
      }
    ),
    (
      "a latch that counts one arrival too many",
      {
        let latch = Latch(3)
        for _ in 0..<2 { Task { await latch.arrive() } }
        await latch.wait()
      }
    ),
    (
      "a Dispatch group that is not left",
      {
        let group = DispatchGroup()
        group.enter()
        await withCheckedContinuation { done in group.notify(queue: .main) { done.resume() } }
      }
    ),
    (
      "the main actor blocked by a semaphore",
      {
        let semaphore = DispatchSemaphore(value: 0)
        Task { @MainActor in semaphore.signal() }
        blockUntil(semaphore)
      }
    ),
  ]
}

private func blockUntil(_ semaphore: DispatchSemaphore) { semaphore.wait() }

private final class Downloader: Sendable {
  func data(for path: String) async throws -> String {
    await withCheckedContinuation { done in
      load(path) { done.resume(returning: $0) }
    }
  }

  private func load(_ path: String, _ done: @escaping @Sendable (String) -> Void) {
    if path.isEmpty { return }
    done(path)
  }
}

@MainActor private final class Permission {
  private var continuation: CheckedContinuation<Void, Never>?

  func request() async {
    await withCheckedContinuation { continuation = $0 }
  }

  func answer() { continuation?.resume() }
}

private final class Signal: Sendable {
  private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)

  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { new in continuation.withLock { $0 = new } }
    } onCancel: {
      continuation.withLock { $0 }?.resume()
    }
  }
}

private actor Event {
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func signal() { if !waiting.isEmpty { waiting.removeFirst().resume() } }
  func wait() async { await withCheckedContinuation { waiting.append($0) } }
}

private actor AsyncSemaphore {
  private var permits: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ permits: Int) { self.permits = permits }

  private func acquire() async {
    if permits > 0 {
      permits -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func release() {
    if waiting.isEmpty { permits += 1 } else { waiting.removeFirst().resume() }
  }

  nonisolated func withPermit<Value: Sendable>(_ body: @Sendable () async throws -> Value)
    async throws -> Value
  {
    await acquire()
    let value = try await body()
    await release()
    return value
  }
}

@MainActor private final class Box {
  var task: Task<Void, Never>?
}

@MainActor private final class ImageCache {
  private var tasks: [String: Task<Void, Never>] = [:]

  func image(_ key: String) async {
    let task = tasks[key] ?? Task { await decode(key) }
    tasks[key] = task
    await task.value
  }

  private func decode(_ key: String) async { await image(key) }
}

private final class Feed: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Int.self)

  func listen() async {
    for await _ in stream {}
  }
}

private func timeout(_ time: Duration, _ body: @escaping @Sendable () async -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    group.addTask { await body() }
    group.addTask { try? await Task.sleep(for: time) }
    await group.next()
    group.cancelAll()
  }
}

private actor Latch {
  private var missing: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { missing = count }

  func arrive() {
    missing -= 1
    if missing == 0 { for continuation in waiting { continuation.resume() } }
  }

  func wait() async {
    if missing > 0 { await withCheckedContinuation { waiting.append($0) } }
  }
}
