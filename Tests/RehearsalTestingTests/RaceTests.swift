import Exploring
import Foundation
import MockHTTP
import RehearsalTesting
import RemoteLoading
import Staging
import Synchronization
import Testing

/// Races as they are reported for published code. `Races.txt` has the issue of each, as `swift test` prints it;
/// `UPDATE_ISSUES=1` in the environment writes it.
@MainActor @Suite struct RaceTests {
  #if DEBUG
  @Test func `each issue names the cause, and the lines`() async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let file = folder.appending(path: "Races.txt")
    let expected = try String(contentsOf: file, encoding: .utf8)
    var issues = ""
    for (name, body) in Self.races { issues += "\n=== \(name)\n" + (try await issue(body)) + "\n" }
    if ProcessInfo.processInfo.environment["UPDATE_ISSUES"] != nil {
      try issues.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(issues == expected)
  }

  /// The issue of a search. A line of this file is shown as its text.
  private func issue(
    _ body: @escaping @MainActor @Sendable (ExploredRun) async throws -> Void
  ) async throws -> String {
    let texts = Mutex<[String]>([])
    try await withKnownIssue(isIntermittent: true) {
      try await explore(body)
    } matching: { issue in
      guard case .unconditional = issue.kind else { return false }
      // Another test of this process crashes on purpose, and later issues mention it.
      let text = "\(issue.comments.first ?? "")".replacing(
        /\nperhaps it waits for an actor .*/,
        with: ""
      )
      texts.withLock { $0.append(text) }
      return true
    }
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return texts.withLock(\.self).joined(separator: "\n").replacing(/RaceTests\.swift:(\d+)/) {
      let line = Int($0.output.1).map { source[$0 - 1].trimmingCharacters(in: .whitespaces) }
      return "«\(line ?? "?")»"
    }
  }
  #endif

  static let races: [(String, @MainActor @Sendable (ExploredRun) async throws -> Void)] = [
    (
      "an answer to an old question arrives last",
      { run in
        let search = Search()
        for question in ["sw", "swift"] { search.ask(question, after: .seconds(1)) }
        await run.settle()
        run.check(search.shown == "swift", "the latest question is answered", search.shown)
      }
    ),
    (
      "an answer arrives after logout",
      { run in
        let account = Account()
        let load = Task { await account.load() }
        try await Task.sleep(for: run.choose([.seconds(3), .seconds(1)], named: "logout"))
        account.logOut()
        await load.value
        run.check(account.user == nil, "nobody is logged in", account.user ?? "")
      }
    ),
    (
      "two callers load the same key",
      { run in
        let cache = ImageCache()
        async let first: Void = cache.image("a")
        try await Task.sleep(for: run.choose([.seconds(2), .milliseconds(500)]))
        await cache.image("a")
        await first
        run.check(cache.loads == 1, "one load", "\(cache.loads) loads")
      }
    ),
    (
      "two requests refresh the token",
      { run in
        let session = Session()
        let tasks = ["a", "b"].map { name in Task(name: name) { await session.get() } }
        for task in tasks { await task.value }
        run.check(session.failures == 0, "no request fails")
      }
    ),
    (
      "an actor is entered while a withdrawal waits",
      { run in
        let bank = Bank()
        let first = Task { await bank.withdraw(60) }
        try await Task.sleep(
          for: run.choose([.seconds(2), .milliseconds(500)], named: "the second withdrawal")
        )
        await bank.withdraw(60)
        await first.value
        let balance = await bank.balance
        run.check(balance >= 0, "the balance is not negative", "\(balance)")
      }
    ),
    (
      "a timeout does not stop the work",
      { run in
        let form = Form()
        let work = Task { await form.save() }
        let time = run.choose([Duration.seconds(5), .seconds(1)])
        try await Task.sleep(for: time)
        if form.state == "saving" { form.state = "timed out" }
        let shown = form.state
        await work.value
        run.check(form.state == shown, "the result stays", "\(shown), then \(form.state)")
      }
    ),
    (
      "a debounce drops the last value",
      { run in
        let field = Field()
        field.type("s")
        try await Task.sleep(for: run.choose([.milliseconds(400), .milliseconds(300)]))
        field.type("sw")
        await run.settle()
        run.check(field.sent.last == "sw", "the last value is sent", "\(field.sent)")
      }
    ),
    (
      "a signal between the look and the wait",
      { run in
        let event = Event()
        Task(name: "producer") { await event.signal() }
        let consumer = Task(name: "consumer") { await event.wait() }
        await consumer.value
      }
    ),
    (
      "a cancellation before the continuation exists",
      { run in
        let signal = Signal()
        let task = Task(name: "waiter") { await signal.wait() }
        try await Task.sleep(for: run.choose([.seconds(1), .zero], named: "cancel"))
        task.cancel()
        await task.value
      }
    ),
    (
      "two locks in opposite orders",
      { run in
        let (accounts, log) = (Lock(), Lock())
        let transfer = Task(name: "transfer") {
          await accounts.acquire()
          await log.acquire()
          await log.release()
          await accounts.release()
        }
        let report = Task(name: "report") {
          try? await Task.sleep(for: run.choose([.seconds(1), .zero], named: "the report's start"))
          await log.acquire()
          await accounts.acquire()
          await accounts.release()
          await log.release()
        }
        _ = await (transfer.value, report.value)
      }
    ),
    (
      "an event before the subscription",
      { run in
        let center = Center()
        Task(name: "screen") { for await event in center.events() { center.seen.append(event) } }
        Task(name: "login") { center.post("logged in") }
        await run.settle()
        run.check(center.seen == ["logged in"], "the screen sees the login")
        center.finish()
      }
    ),
    (
      "a failed request reverts a newer choice",
      { run in
        let post = Post()
        post.like(true, failing: true, after: .seconds(1))
        try await Task.sleep(
          for: run.choose([.seconds(2), .milliseconds(500)], named: "the second tap")
        )
        post.like(true, failing: false, after: .seconds(1))
        await run.settle()
        run.check(post.isLiked, "the last tap is kept")
      }
    ),
    (
      "the next page is loaded twice",
      { run in
        let feed = Feed()
        Task(name: "scroll") { await feed.loadMore() }
        try await Task.sleep(
          for: run.choose([.seconds(2), .milliseconds(500)], named: "the second scroll")
        )
        Task(name: "scroll again") { await feed.loadMore() }
        await run.settle()
        run.check(feed.pages == [1, 2], "each page once", "\(feed.pages)")
      }
    ),
    (
      "the answers of a server overtake each other",
      { run in
        let books = Books(run.stage.clock)
        for page in 1...2 { Task { try await books.load(page) } }
        await run.settle()
        run.check(books.shown == 2, "the last page is shown", "page \(books.shown)")
      }
    ),
    (
      "a continuation that is resumed twice",
      { run in
        let request = Request()
        let task = Task(name: "request") { await request.answer() }
        try await Task.sleep(for: run.choose([.seconds(2), .milliseconds(500)], named: "cancel"))
        task.cancel()
        run.note(await task.value)
        await run.settle()
      }
    ),
  ]
}

@MainActor private final class Search {
  private(set) var shown = ""

  func ask(_ question: String, after delay: Duration) {
    Task {
      try await Task.sleep(for: delay)
      shown = question
    }
  }
}

@MainActor private final class Account {
  private(set) var user: String?

  func load() async {
    try? await Task.sleep(for: .seconds(2))
    user = "Ada"
  }

  func logOut() { user = nil }
}

@MainActor private final class ImageCache {
  private var images: [String: String] = [:]
  private(set) var loads = 0

  func image(_ key: String) async {
    if images[key] != nil { return }
    loads += 1
    try? await Task.sleep(for: .seconds(1))
    images[key] = "image"
  }
}

@MainActor private final class Session {
  private var token = 1
  private var isRefreshing = false
  private(set) var failures = 0

  func get() async {
    let sent = token
    await Task.yield()
    guard sent == token else {
      failures += 1
      return
    }
    await refresh()
  }

  private func refresh() async {
    if isRefreshing { return }
    isRefreshing = true
    await Task.yield()
    token += 1
    isRefreshing = false
  }
}

private actor Bank {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await authorise()
    balance -= amount
  }

  private func authorise() async { try? await Task.sleep(for: .seconds(1)) }
}

@MainActor private final class Form {
  var state = "empty"

  func save() async {
    state = "saving"
    try? await Task.sleep(for: .seconds(3))
    state = "saved"
  }
}

@MainActor private final class Field {
  private(set) var sent: [String] = []
  private var isWaiting = false

  func type(_ text: String) {
    if isWaiting { return }
    isWaiting = true
    Task {
      try await Task.sleep(for: .milliseconds(300))
      sent.append(text)
      isWaiting = false
    }
  }
}

private actor Event {
  private var isSet = false
  private var waiting: CheckedContinuation<Void, Never>?

  func signal() {
    isSet = true
    waiting?.resume()
    waiting = nil
  }

  private func look() -> Bool { isSet }
  private func suspend() async { await withCheckedContinuation { waiting = $0 } }

  nonisolated func wait() async {
    if await look() { return }
    await suspend()
  }
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

private actor Lock {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func acquire() async {
    if isTaken { await withCheckedContinuation { waiting.append($0) } }
    isTaken = true
  }

  func release() {
    isTaken = false
    if !waiting.isEmpty { waiting.removeFirst().resume() }
  }
}

@MainActor private final class Center {
  private var subscribers: [AsyncStream<String>.Continuation] = []
  var seen: [String] = []

  func post(_ event: String) { for subscriber in subscribers { subscriber.yield(event) } }
  func finish() { for subscriber in subscribers { subscriber.finish() } }

  func events() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    subscribers.append(continuation)
    return stream
  }
}

@MainActor private final class Post {
  private(set) var isLiked = false

  func like(_ value: Bool, failing: Bool, after delay: Duration) {
    let old = isLiked
    isLiked = value
    Task {
      try await Task.sleep(for: delay)
      if failing { isLiked = old }
    }
  }
}

@MainActor private final class Feed {
  private(set) var pages: [Int] = []

  func loadMore() async {
    let next = (pages.last ?? 0) + 1
    try? await Task.sleep(for: .seconds(1))
    pages.append(next)
  }
}

private final class Request: Sendable {
  private let done = Mutex<CheckedContinuation<String, Never>?>(nil)

  func answer() async -> String {
    await withTaskCancellationHandler {
      await withCheckedContinuation { new in
        done.withLock { $0 = new }
        Task {
          try? await Task.sleep(for: .seconds(1))
          resume("answer")
        }
      }
    } onCancel: {
      resume("cancelled")
    }
  }

  private func resume(_ text: String) {
    done.withLock { $0 }?.resume(returning: text)
  }
}

@MainActor private final class Books {
  private let client: RemoteClient
  private(set) var shown = 0

  init(_ clock: StageClock) {
    let server = MockServer()
    server.add(.get("/books/{page}", .json("[]").after(.seconds(1))))
    client = RemoteClient(MockTransport(server: server, clock: clock))
  }

  func load(_ page: Int) async throws {
    _ = try await client.fetch(RemoteRequest(url: "http://example.com/books/\(page)"))
    shown = page
  }
}
