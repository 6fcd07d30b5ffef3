import Dispatch
import Staging

extension Benchmark {
  /// Blocks of Dispatch queues on a stage.
  static let blocks = Benchmark(name: "blocks") {
    let floor = Row.Floor(
      what: "the same blocks on a real serial queue",
      samples: Samples.seconds { submitReally() }.rate(of: count)
    )
    Table.print(
      Row(
        what: "blocks: 200,000 on a serial queue of a stage",
        samples: Samples.seconds { submit(to: DispatchQueue(label: "blocks")) }.rate(of: count),
        unit: .rate,
        goal: .atLeast(500_000),
        floor: floor
      )
    )
    Table.print(
      Row(
        what: "blocks: the same on the main queue of a stage",
        samples: Samples.seconds { submit(to: .main) }.rate(of: count),
        unit: .rate,
        goal: .atLeast(500_000),
        floor: floor
      )
    )
    Table.print(
      Row(
        what: "blocks: the same by asyncAfter, each at another time",
        samples: Samples.seconds { submitLater() }.rate(of: count),
        unit: .rate,
        floor: floor
      )
    )
    Table.print(
      Row(
        what: "blocks: 10,000 blocking waits of two queues for each other",
        samples: Samples.seconds { waitForEachOther() }.rate(of: waits),
        unit: .rate,
        floor: Row.Floor(
          what: "the same on real queues",
          samples: Samples.seconds { waitReally() }.rate(of: waits)
        )
      )
    )
  }

  private static let count = 200_000
  private static let waits = 10_000

  private final class Counter: @unchecked Sendable { var value = 0 }

  private static func submitReally() {
    let queue = DispatchQueue(label: "real")
    let counter = Counter()
    for _ in 0..<count { queue.async { counter.value += 1 } }
    queue.sync {}
    precondition(counter.value == count)
  }

  private static func submit(to queue: DispatchQueue) {
    let stage = Stage()
    let counter = Counter()
    stage.enter { for _ in 0..<count { queue.async { counter.value += 1 } } }
    finish(stage)
    precondition(counter.value == count)
  }

  private static func submitLater() {
    let stage = Stage()
    let counter = Counter()
    stage.enter {
      for number in 0..<count {
        DispatchQueue.main.asyncAfter(deadline: .now() + .microseconds(number)) {
          counter.value += 1
        }
      }
    }
    finish(stage)
    precondition(counter.value == count)
  }

  private static func waitForEachOther() {
    let stage = Stage()
    stage.enter { exchange(until: DispatchSemaphore(value: 0)) }
    finish(stage)
  }

  private static func waitReally() {
    let end = DispatchSemaphore(value: 0)
    exchange(until: end)
    end.wait()
  }

  /// Two queues take turns.
  private static func exchange(until end: DispatchSemaphore) {
    let one = DispatchSemaphore(value: 0)
    let other = DispatchSemaphore(value: 0)
    DispatchQueue(label: "one").async {
      for _ in 0..<waits / 2 {
        other.signal()
        one.wait()
      }
      end.signal()
    }
    DispatchQueue(label: "other").async {
      for _ in 0..<waits / 2 {
        other.wait()
        one.signal()
      }
    }
  }
}
