import Dispatch
import Exploring
import Scenes
import Script
import Testing

@testable import Rehearsal
@testable import Staging

/// The commands `step list` and `step N`.
@Suite struct SteppingTests {
  private actor Store {
    private var items: [Int] = []

    func add(_ item: Int) -> Int {
      items.append(item)
      return items.count
    }
  }

  private static let mixed = Rehearsal.Scene("mixed", "Tasks on several executors.") { scene in
    let store = Store()
    let journal = scene.journal("journal")
    scene.command("meet", "Two tasks call an actor.") {
      await withTaskGroup { group in
        for item in 1...2 {
          group.addTask(name: "adder \(item)") {
            let count = await store.add(item)
            await journal.note("\(item) is item \(count)")
          }
        }
      }
    }
    scene.command("block", "A block of a queue waits for another one.") {
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue(label: "waiter").async {
        semaphore.wait()
        DispatchQueue.main.async { MainActor.assumeIsolated { journal.note("waited") } }
      }
      DispatchQueue(label: "signaller").async { semaphore.signal() }
    }
    scene.command("yield", "A task yields.") {
      await Task.yield()
      journal.note("yielded")
    }
  }

  private final class Run {
    let host: SessionHost
    private let lines = KeptLines()

    init(scenes: [Rehearsal.Scene] = [mixed], _ commands: String...) {
      host = SessionHost(files: MemoryFiles(), scenes: scenes) { [lines] in lines.add($0) }
      for command in commands { perform(command) }
    }

    deinit { host.end() }

    @discardableResult func perform(_ command: String) -> [String] {
      host.perform(command)
      return lines.take()
    }

    /// Runs jobs until one of the next jobs has this text, and returns its number.
    func find(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Int? {
      var seen: [String] = []
      for _ in 0..<50 {
        let lines = perform("step list")
        seen += lines
        if let line = lines.dropFirst().first(where: { $0.contains(text) }) {
          return line.split(separator: ".").first.flatMap { Int($0) }
        }
        guard lines.count > 1 else { break }
        seen += perform("step 1").filter { $0.contains("journal") }
      }
      Issue.record(
        "\(text) is not in\n\(seen.joined(separator: "\n"))",
        sourceLocation: sourceLocation
      )
      return nil
    }
  }

  @Test func `a job has the name of its task, its actor and its line`() throws {
    let run = Run("scene mixed", "step list", "meet")
    #expect(run.perform("step list").count == 2)
    run.perform("step \(try #require(run.find("'adder 2' runs")))")
    let number = try #require(run.find("'adder 2' runs on the actor Store: "))
    let list = run.perform("step list")
    #expect(list[number].contains("closure"))
    #expect(list[number].contains(" at SteppingTests.swift:"))
    // It overtakes the first one.
    run.perform("step \(number)")
    #expect(run.perform("settle").contains { $0.contains("2 is item 1") })
  }

  @Test func `a blocked thread is a job when it continues`() throws {
    let run = Run("scene mixed", "step list", "block")
    let waiter = try #require(run.find("a block on DispatchQueue(label: \"waiter\") runs"))
    #expect(!run.perform("step \(waiter)").contains { $0.contains("waiter") })
    _ = try #require(run.find("a thread that was blocked runs"))
    _ = try #require(run.find("a block on DispatchQueue.main runs"))
    #expect(run.perform("settle").contains { $0.contains("waited") })
    #expect(run.perform("step list") == ["nothing left to do at 0.000s"])
  }

  @Test func `a yield is a job`() throws {
    let run = Run("scene mixed", "step list", "yield")
    let number = try #require(run.find(" ends its yield"))
    #expect(!run.perform("step \(number)").contains { $0.contains("yielded") })
    #expect(run.perform("settle").contains { $0.contains("yielded") })
  }

  @Test func `undo goes back to the jobs before`() throws {
    let run = Run("scene mixed", "step list", "meet")
    func jobs(_ lines: [String]) -> [String] {
      Array(lines.drop { !$0.contains(" could run next") })
    }
    var lists = [jobs(run.perform("step list"))]
    while let last = lists.last, last.count > 1, lists.count < 50 {
      lists.append(jobs(run.perform("step \(last.count - 1)")))
    }
    #expect(lists.count > 6)
    for list in lists.dropLast().reversed() {
      #expect(jobs(run.perform("undo")) == list)
    }
    #expect(run.perform("settle").contains { $0.contains("is item 2") })
  }

  @Test func `listing is no change that undo counts`() {
    let run = Run("scene mixed", "step list", "meet", "step list", "step list")
    #expect(run.perform("undo").first == "undone: meet")
    #expect(run.perform("undo").first == "undone: step list")
    #expect(!run.host.stage.executor.hopsAreApart)
  }

  @Test func `the default schedule returns, and the waiting jobs run`() {
    let run = Run("scene mixed", "step list", "meet")
    #expect(run.host.stage.executor.hopsAreApart)
    #expect(run.perform("schedule default").contains { $0.contains("is item 2") })
    #expect(!run.host.stage.executor.hopsAreApart)
    #expect(run.perform("meet").contains { $0.contains("is item 4") })
  }

  @Test(arguments: ["step list", "step 1"])
  func `a search refuses to step by hand`(command: String) throws {
    let text = "loadable a\nload a 1 after 1s\n\(command)\nsettle\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let refusal = #expect(throws: ExploredScript.Refusal.self) {
      try ExploredScript(file, scenes: [])
    }
    #expect(refusal?.command == command)
    #expect(refusal?.lines.first == "error: the search chooses the order of jobs")
    #expect(refusal?.lines.last == "hint: 'step' runs everything at the next instant")
  }

  @Test func `a search of a session that sources steps by hand is refused`() async throws {
    let files = MemoryFiles()
    try await files.write("a.rehearse", Array("loadable a\nload a 1 after 1s\nstep 1\n".utf8))
    let lines = KeptLines()
    let host = SessionHost(files: files) { lines.add($0) }
    defer { host.end() }
    for command in ["source a.rehearse", "explore"] { host.perform(command) }
    #expect(lines.take().contains { $0.contains("'source a.rehearse' chooses the next job") })
  }

  @Test func `a search of a session with steps by hand is refused`() {
    let run = Run("scene mixed", "step list", "meet", "step 1")
    #expect(run.perform("explore").first?.contains("'step list' chooses the next job") == true)
    run.perform("undo 3")
    #expect(run.perform("meet").contains { $0.contains("is item 2") })
    #expect(run.perform("explore").first?.contains("runs of the session") == true)
  }
}
