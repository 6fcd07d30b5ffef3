import Staging

extension Benchmark {
  /// Tasks that sleep, on the stage's clock and with `Task.sleep`.
  static let events = Benchmark(name: "events") {
    let count = tasks * rounds
    let floor = Row.Floor(what: "a bare heap of closures", samples: heap().rate(of: count))
    Table.print(
      Row(
        what: "events: 1,000 tasks × 100 sleeps, stage's clock",
        samples: Samples.seconds { sleepOnStage { try await $0.sleep(for: $1) } }.rate(of: count),
        unit: .rate,
        goal: .atLeast(1_400_000),
        floor: floor
      )
    )
    Table.print(
      Row(
        what: "events: the same on the main actor",
        samples: Samples.seconds(sleepOnMainActor).rate(of: count),
        unit: .rate,
        floor: floor
      )
    )
    Table.print(
      Row(
        what: "events: the same by unmodified Task.sleep",
        samples: Samples.seconds { sleepOnStage { try await Task.sleep(for: $1) } }.rate(of: count),
        unit: .rate,
        goal: .atLeast(450_000),
        floor: floor
      )
    )
  }

  private static let tasks = 1_000
  private static let rounds = 100

  /// Differs from task to task, so that tasks do not wake in the order in which they went to sleep.
  private static func microseconds(of task: Int, _ round: Int) -> Int64 {
    Int64(1 + (task &* 7_919 &+ round &* 104_729) % 997)
  }

  private static func heap() -> Samples {
    Samples.seconds {
      var heap = ClosureHeap()
      for task in 0..<tasks { addRound(0, of: task, to: &heap) }
      heap.run()
    }
  }

  private static func addRound(_ round: Int, of task: Int, to heap: inout ClosureHeap) {
    guard round < rounds else { return }
    heap.add(after: microseconds(of: task, round)) { addRound(round + 1, of: task, to: &$0) }
  }

  private static func sleepOnStage(
    _ sleep: @escaping @Sendable (StageClock, Duration) async throws -> Void
  ) {
    let stage = Stage()
    let clock = stage.clock
    stage.enter {
      for task in 0..<tasks {
        Task.detached {
          for round in 0..<rounds {
            try await sleep(clock, .microseconds(microseconds(of: task, round)))
          }
        }
      }
    }
    finish(stage)
  }

  private static func sleepOnMainActor() {
    let stage = Stage()
    let clock = stage.clock
    stage.enter {
      for task in 0..<tasks {
        Task {
          for round in 0..<rounds {
            try await clock.sleep(for: .microseconds(microseconds(of: task, round)))
          }
        }
      }
    }
    finish(stage)
  }
}

/// Runs all jobs of a stage.
func finish(_ stage: Stage) {
  let stop = stage.settle(limit: .max)
  precondition(stop == .idle, "The stage of a benchmark becomes idle.")
}
