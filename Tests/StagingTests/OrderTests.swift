import Staging
import Testing

@Suite struct OrderTests {
  /// A bug that only some orders reveal: a suspension separates the check from the write.
  private func outcome(_ order: Stage.Order) throws -> (shown: String, stage: Stage) {
    @MainActor final class Screen {
      private(set) var shown = ""
      func open(_ page: String) async {
        let before = shown
        await Task.yield()
        shown = before + page
      }
    }
    let stage = Stage(order: order)
    let log = Log()
    try stage.run { @MainActor in
      let screen = Screen()
      async let a: Void = screen.open("a")
      async let b: Void = screen.open("b")
      async let c: Void = screen.open("c")
      _ = await (a, b, c)
      log(screen.shown)
    }
    return (log.lines.joined(), stage)
  }

  private func wakes(_ order: Stage.Order) -> [String] {
    let stage = Stage(order: order)
    let log = Log()
    stage.enter {
      for name in ["a", "b", "c", "d"] {
        Task {
          try await stage.clock.sleep(until: StageInstant(elapsed: .seconds(1)))
          log(name)
        }
      }
    }
    stage.settle()
    return log.lines
  }

  @Test func `first in, first out is the same every time`() throws {
    #expect(try Set((0..<100).map { _ in try outcome(.firstInFirstOut).shown }).count == 1)
    #expect(wakes(.firstInFirstOut) == ["a", "b", "c", "d"])
  }

  @Test(arguments: [Stage.Order.firstInFirstOut, .recorded([])])
  func `tasks that resume each other delay a sleeper for a limited number of steps`(
    order: Stage.Order
  ) throws {
    let stage = Stage(order: order)
    let log = Log()
    _ = stage.enter {
      Task { @MainActor in
        var hasEnded = false
        Task {
          try await stage.clock.sleep(until: StageInstant(elapsed: .seconds(1)))
          hasEnded = true
        }
        try await stage.clock.sleep(until: StageInstant(elapsed: .seconds(1)))
        var rounds = 0
        while !hasEnded {
          await Task {}.value
          rounds += 1
        }
        log(rounds > 100 ? "it ended" : "after \(rounds)")
      }
    }
    stage.settle(limit: 10_000)

    #expect(log.lines == ["it ended"])
  }

  @Test func `shuffling finds other outcomes, and a seed repeats its outcome`() throws {
    let shuffled = try (0..<200).map { try outcome(.shuffled(seed: $0)).shown }
    #expect(Set(shuffled).count > 3)
    #expect(try (0..<200).map { try outcome(.shuffled(seed: $0)).shown } == shuffled)
  }

  @Test func `sleepers of one instant are shuffled too`() {
    let orders = Set((0..<500).map { wakes(.shuffled(seed: $0)) })
    #expect(orders.count == 24)
  }

  @Test func `choices recorded under any seed replay it, and fit`() throws {
    for seed in 0..<100 as Range<UInt64> {
      let (shown, stage) = try outcome(.shuffled(seed: seed))
      let (again, replay) = try outcome(.recorded(stage.choices))
      #expect(again == shown)
      #expect(replay.misfit == nil)
      #expect(replay.choices == stage.choices)
    }
  }

  @Test func `an empty list of choices is first in, first out`() throws {
    let (shown, stage) = try outcome(.recorded([]))
    #expect(try shown == outcome(.firstInFirstOut).shown)
    #expect(stage.choices == [])
    #expect(wakes(.recorded([])) == wakes(.firstInFirstOut))
  }

  @Test func `an impossible choice is reported, and the run continues`() throws {
    let (shown, stage) = try outcome(.recorded([0, 99, 0]))
    #expect(!shown.isEmpty)
    guard case .absent(choice: 99, among: let count, position: 1)? = stage.misfit else {
      Issue.record("\(String(describing: stage.misfit))")
      return
    }
    #expect(count >= 2)
    #expect(try outcome(.recorded([-1])).stage.misfit != nil)
  }

  @Test func `choices that are never reached are reported`() throws {
    let choices = [1] + Array(repeating: 0, count: 500) + [1]
    guard case .unused(from: _, of: 502)? = try outcome(.recorded(choices)).stage.misfit else {
      Issue.record("a list that is too long fits")
      return
    }
  }
}
