import Loading
import Observation
import Pipelines
import Script
import Staging
import Testing

@testable import Rehearsal

/// Scenes of the user's own code: properties, sequences, loads, commands.
@MainActor @Suite struct ModelSceneTests {
  @Observable fileprivate final class Counter {
    var count = 0
    var isBusy = false
    let limit = 3

    func flash() {
      isBusy = true
      isBusy = false
    }

    func increment() async throws {
      isBusy = true
      defer { isBusy = false }
      try await Task.sleep(for: .seconds(1))
      guard count < limit else { throw LimitReached() }
      count += 1
    }
  }

  private struct LimitReached: Error {}

  private final class Posts: LoadableSupport, ProcessSupport {
    var posts: LoadableState<[String]> = .absent
    var account: ProcessState<Kind> = .idle
    enum Kind: Equatable { case save, delete }
  }

  private static let counter = Scene("counter", "A counter.") { scene in
    let model = Counter()
    scene.property("count", of: model, \.count)
    scene.property("busy", of: model, \.isBusy)
    scene.property("limit", of: model, \.limit)
    scene.property("rest") { model.limit - model.count }
    scene.command("flash", "On and off.") { model.flash() }
    scene.command("increment", "Takes a second.") { try await model.increment() }
    scene.command("hang", "For ever.") {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  }

  @Observable fileprivate final class Holder {
    var counter = Counter()
  }

  private static let holder = Scene("holder", "A counter that is replaced.") { scene in
    let holder = Holder()
    scene.property("held") { holder.counter.count }
    scene.command("bump", "One more.") { holder.counter.count += 1 }
    scene.command("renew", "Another counter.") { holder.counter = Counter() }
  }

  private final class Untracked {
    var count = 0
  }

  private static let untracked = Scene("untracked", "Values that Observation does not track.") {
    scene in
    let model = Untracked()
    let start = ContinuousClock.now
    scene.property("count") { model.count }
    scene.property("valid") { ContinuousClock.now - start < .seconds(3600) }
    scene.command("bump", "One more.") { model.count += 1 }
    scene.command("wait-forever", "A task without an end.") {
      Task {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        model.count = 5
      }
    }
  }

  private static let posts = Scene("posts", "Loads of a model's own.") { scene in
    let model = Posts()
    scene.loadable("posts", model.driver(of: \.posts))
    scene.process("account", model.driver(of: \.account))
    scene.command("appear", "Loads.", .duration("D").defaulting(to: .seconds(1))) { delay in
      model.load(\.posts) {
        try await Task.sleep(for: delay)
        return ["Hello"]
      }
    }
    scene.command("keep", "Saves.") {
      model.run(\.account, as: .save) { try await Task.sleep(for: .seconds(2)) }
    }
  }

  private static let stream = Scene("stream", "A sequence.") { scene in
    let (values, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
    scene.values("numbers", values)
    scene.command("send", "A number.", .integer("N")) { continuation.yield($0) }
    scene.command("end", "No more.") { continuation.finish() }
    scene.command("fail", "An error.") { continuation.finish(throwing: LimitReached()) }
    let journal = scene.journal("diary")
    scene.command("say", "A line.", .text("TEXT")) { journal.note($0) }
  }

  private static let published = Scene("published", "Publishers.") { scene in
    let query = OrderedSubject<String, Never>()
    let text = CurrentValueSubject<String, Never>("")
    scene.property("text", text)
    scene.values("query", query.debounce(for: .seconds(1), scheduler: scene.scheduler))
    scene.command("type", "Types.", .text("TEXT")) {
      text.send($0)
      query.send($0)
    }
    scene.command("finish", "No more.") { query.send(completion: .finished) }
  }

  private func output(_ scene: Scene, _ commands: String...) -> [String] { output(scene, commands) }

  private func output(_ scene: Scene, _ commands: [String]) -> [String] {
    let lines = Lines()
    let host = SessionHost(files: MemoryFiles(), scenes: [scene]) { lines.all.append($0) }
    host.perform("scene \(scene.name)")
    let count = lines.all.count
    for command in commands { host.perform(command) }
    host.end()
    return Array(lines.all.dropFirst(count))
  }

  @MainActor private final class Lines {
    var all: [String] = []
  }

  @Test func `every value of a property is reported`() {
    #expect(
      output(Self.counter, "flash", "increment", "settle") == [
        "   0.000s  busy  false → true",
        "   0.000s  busy  true → false",
        "   0.000s  increment  idle → running #1",
        "   0.000s  busy  false → true",
        "   1.000s  count  0 → 1",
        "   1.000s  rest  3 → 2",
        "   1.000s  busy  true → false",
        "   1.000s  increment  running #1 → finished",
      ]
    )
  }

  @Test func `a change that Observation does not track is shown after the command`() {
    #expect(
      output(Self.untracked, "bump", "bump", "wait 2h") == [
        "   0.000s  count  0 → 1",
        "   0.000s  count  may have changed before: Observation does not track all of it",
        "   0.000s  count  1 → 2",
        "7200.000s  valid  true → false",
        "7200.000s  valid  may have changed before: Observation does not track all of it",
      ]
    )
  }

  @Test(arguments: [["wait 2h", "expect valid true"], ["in 2h expect valid true", "settle"]])
  func `an expectation reads a property again`(commands: [String]) {
    let output = output(Self.untracked, commands)
    #expect(output.contains { $0.contains("expected valid true, but it is false") })
  }

  @Test func `a run assertion sees a change that Observation does not track`() {
    let output = output(Self.untracked, "never valid false", "wait 2h")
    #expect(output.contains { $0.contains("'never valid false' is violated at 7200.000s") })
  }

  @Test func `settle names each task that waits forever once`() {
    let output = output(
      Self.untracked,
      "wait-forever",
      "settle",
      "settle",
      "wait-forever",
      "settle"
    )
    #expect(output.count == 2)
    #expect(
      output.allSatisfy {
        $0.hasPrefix("   0.000s  a task in ")
          && $0.hasSuffix(" still waiting, with nothing left to run")
      }
    )
  }

  @Test func `a task that waits forever is named at the end of a session that never settled`() {
    func notes(_ commands: String...) -> [String] {
      let host = SessionHost(files: MemoryFiles(), scenes: [Self.untracked]) { _ in }
      defer { host.end() }
      for command in ["scene \(Self.untracked.name)", "wait-forever"] + commands {
        host.perform(command)
      }
      return host.notes
    }
    #expect(notes("settle").isEmpty)
    #expect(notes("loadable a", "load a 1 after 1s").isEmpty)
    let note = notes().first ?? ""
    #expect(note.hasPrefix("a task in "))
    #expect(note.hasSuffix("still waiting, with nothing left to run"))
    #expect(notes("wait 1s").count == 1)
  }

  @Test func `a settle and a failing check give the reason of a wait, each at most once`() {
    let host = SessionHost(files: MemoryFiles(), scenes: [Self.untracked]) { _ in }
    defer { host.end() }
    func reasons(_ command: String) -> [String] {
      host.perform(command)
      return host.reasons(onlyNew: true)
    }
    for command in ["scene untracked", "wait-forever", "wait 1s"] {
      #expect(reasons(command) == [])
    }
    let first = reasons("settle")
    let heading = "nothing is left to run. What waits, and where:"
    #expect(
      first.prefix(2) == [heading, "task 1 waits for a continuation that nothing has resumed"]
    )
    #expect(first.count > 2 && first.dropFirst(2).allSatisfy { $0.hasPrefix("  in ") }, "\(first)")
    #expect(reasons("settle") == [])
    // A wait that was named is new for no prompt, but it explains a failure.
    #expect(reasons("expect count 5") == [])
    #expect(host.reasons(onlyNew: false) == first)
    for command in ["expect coun 5", "expect count 0", "now"] {
      host.perform(command)
      #expect(host.reasons(onlyNew: false) == [], "\(command)")
    }
    // A load that comes later could end the wait.
    for command in ["loadable a", "load a 1 after 1s", "expect count 5"] { host.perform(command) }
    #expect(host.failures.count == 1)
    #expect(host.reasons(onlyNew: false) == [])
    #expect(reasons("wait-forever") == [])
    let second = reasons("expect count 5 within 2s")
    // The load had number 2.
    #expect(second.first == "nothing is left to run. What waits in addition, and where:")
    #expect(second.dropFirst().first?.hasPrefix("task 3 waits ") == true, "\(second)")
    #expect(host.notes == [])
    #expect(reasons("undo") == [])
    #expect(reasons("settle") == [])
    #expect(!second.contains { $0.hasPrefix("task 1 ") })
  }

  @Test func `waiting names each task with its functions, or what the shell simulates`() {
    let lines = output(
      Self.untracked,
      "wait-forever",
      "loadable profile",
      "load profile never",
      "loadable later",
      "load later 1 after 1s",
      "waiting"
    )
    let report = lines.drop { !$0.hasPrefix("profile #1") }
    #expect(report.first == "profile #1 still waiting, with nothing left to run")
    #expect(report.dropFirst().first == "later #1 in flight")
    #expect(report.dropFirst(2).first == "task 1 waits for a continuation that nothing has resumed")
    let frames = report.dropFirst(3)
    #expect(!frames.isEmpty)
    #expect(frames.allSatisfy { $0.hasPrefix("  in ") && !$0.contains("Session") })
    #if DEBUG
    #expect(frames.allSatisfy { $0.contains(" at ModelSceneTests.swift:") })
    #endif

    let full = output(Self.untracked, "wait-forever", "waiting full")
    #expect(full.count > frames.count + 1)
    #expect(output(Self.untracked, "waiting") == ["nothing waits"])
  }

  @Test func `waiting in JSON says that a task is cancelled, and where`() throws {
    let scene = Scene("cancelled", "A cancelled task that waits.") { scene in
      scene.command("wait-forever", "A task without an end.") {
        let task = Task {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        task.cancel()
      }
    }
    nonisolated(unsafe) var json = ""
    let report = SessionReport { json += $0 }
    let host = SessionHost(files: MemoryFiles(), scenes: [scene]) { report.output($0) }
    host.tellObjects()
    for command in ["scene cancelled", "wait-forever", "settle", "waiting"] {
      report.begin(command)
      host.perform(command)
      report.end(host)
    }
    host.end()
    let lines = json.split(separator: "\n").filter { $0.contains("\"type\": \"waiting\"") }
    // After 'settle', and after 'waiting'.
    #expect(lines.count == 2)
    #expect(lines.first?.replacing("\"number\": 3", with: "\"number\": 4") == lines.last?[...])
    #expect(lines.first?.contains("\"cancelled\": true") == true)
    #if DEBUG
    #expect(lines.first?.contains("\"remarks\": [\"cancelled ") == true, "\(lines)")
    #endif
  }

  @Test func `a property is followed into a replaced object`() {
    #expect(
      output(Self.holder, "bump", "renew", "bump", "bump") == [
        "   0.000s  held  0 → 1", "   0.000s  held  1 → 0",
        "   0.000s  held  0 → 1", "   0.000s  held  1 → 2",
      ]
    )
  }

  @Test func `a command reports its failure, and cancel reaches its task`() {
    #expect(
      output(
        Self.counter,
        "set count value 3",
        "increment",
        "settle",
        "increment",
        "cancel increment"
      )
        == [
          "   0.000s  count  0 → 3",
          "   0.000s  rest  3 → 0",
          "   0.000s  increment  idle → running #1",
          "   0.000s  busy  false → true",
          "   1.000s  busy  true → false",
          "   1.000s  increment  running #1 → failed \"LimitReached\"",
          "   1.000s  increment  failed \"LimitReached\" → running #2",
          "   1.000s  busy  false → true",
          "   1.000s  increment  running #2 → failed \"LimitReached\", #2 cancelled",
          "   1.000s  busy  true → false",
        ]
    )
  }

  @Test func `a command that waits without end is named when time settles`() {
    #expect(
      output(Self.counter, "hang", "settle") == [
        "   0.000s  hang  idle → running #1",
        "   0.000s  hang  #1 still waiting, with nothing left to run",
      ]
    )
  }

  @Test func `loads of a model are reported with their attempts`() {
    #expect(
      output(
        Self.posts,
        "appear",
        "in 500ms appear 2s",
        "keep",
        "settle",
        "expect posts loaded [\"Hello\"]"
      )
        == [
          "   0.000s  posts  absent → loading #1",
          "   0.000s  account  idle → running save #1",
          "   0.500s  posts  loading #1 → loading #2",
          "   2.000s  account  running save #1 → finished save",
          "   2.500s  posts  loading #2 → loaded [\"Hello\"]",
          "ok",
        ]
    )
  }

  @Test func `the values and the end of a sequence are reported`() {
    #expect(
      output(Self.stream, "send 1", "send 2", "end", "send 3") == [
        "   0.000s  numbers  1",
        "   0.000s  numbers  2",
        "   0.000s  numbers  finished",
      ]
    )
    #expect(
      output(Self.stream, "send 1", "fail", "show numbers") == [
        "   0.000s  numbers  1",
        "   0.000s  numbers  failed: \"LimitReached\"",
        "numbers: Int", "  state   1, failed \"LimitReached\"", "  values  1",
      ]
    )
    #expect(
      output(Self.stream, "cancel numbers", "cancel numbers") == [
        "   0.000s  numbers  cancelled",
        "   0.000s  numbers  cancelled; cancel changes nothing",
      ]
    )
  }

  @Test func `the values of a publisher are reported in virtual time`() {
    #expect(
      output(Self.published, "type a", "type b", "settle", "finish", "expect query \"b\"") == [
        "   0.000s  text  \"\" → \"a\"",
        "   0.000s  text  \"a\" → \"b\"",
        "   1.000s  query  \"b\"",
        "   1.000s  query  finished",
        "ok",
      ]
    )
  }

  @Test func `properties and sequences are sources of pipes`() {
    #expect(
      output(
        Self.counter,
        "pipe half = rest | filter <= 2 | delay 500ms",
        "set count 1",
        "set count 3",
        "settle"
      ) == [
        "   0.000s  count  0 → 1",
        "   0.000s  rest  3 → 2",
        "   0.000s  count  1 → 3",
        "   0.000s  rest  2 → 0",
        "   0.500s  half  2",
        "   0.500s  half  0",
      ]
    )
    #expect(
      output(Self.stream, "pipe sums = numbers | scan sum", "send 1", "send 2", "fail") == [
        "   0.000s  numbers  1",
        "   0.000s  sums  1",
        "   0.000s  numbers  2",
        "   0.000s  sums  3",
        "   0.000s  numbers  failed: \"LimitReached\"",
        "   0.000s  sums  failed: \"LimitReached\"",
      ]
    )
  }

  @Test func `a journal prints its lines with the time`() {
    #expect(
      output(Self.stream, "wait 1s", "say \"one\\ntwo\"", "log diary") == [
        "   1.000s  diary  one\\ntwo", "   1.000s  diary  one\\ntwo",
      ]
    )
  }

  @Test(arguments: [
    ("set limit value 4", "error: 'limit' is a property, which only its own code can change"),
    ("set count value \"x\"", "error: this is not of type Int: it is a String"),
    ("load count", "error: 'count' is a property, which only its own code can change"),
    ("cancel count", "error: 'count' is a property, which only its own code can change"),
    ("run increment", "error: 'increment' is a process, which only its own code can change"),
  ])
  func `an operation that a member does not support is a mistake`(command: String, error: String) {
    #expect(output(Self.counter, command).first == error)
  }

  @Test func `impossible commands are mistakes of the scene`() {
    for (verb, reason) in [
      ("load", "there is a command 'load' already"), ("a b", "its command 'a b' is not one word"),
    ] {
      let scene = Scene("scene", "A scene.") { scene in scene.command(verb, "Does.") {} }
      let lines = Lines()
      let host = SessionHost(files: MemoryFiles(), scenes: [scene]) { lines.all.append($0) }
      host.perform("scene scene")
      #expect(lines.all.first == "error: the scene 'scene' cannot be set up: \(reason)")
      host.end()
    }
  }
}
