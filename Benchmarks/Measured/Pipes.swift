import Pipelines
import Staging

extension Benchmark {
  /// Values through a pipeline, on a stage and on a minimal scheduler.
  static let pipes = Benchmark(name: "pipes") {
    // Alternating, so that both run on an equally busy machine.
    var onStage: [Double] = []
    var onHeap: [Double] = []
    for _ in 0..<5 {
      onStage.append(Samples.seconds(times: 1, typeOnStage).median)
      onHeap.append(Samples.seconds(times: 1, typeOnHeap).median)
    }
    let stage = Samples(onStage).rate(of: typed)
    let heap = Samples(onHeap).rate(of: typed)
    let floor = Row.Floor(what: "the same on a bare heap of closures", samples: heap)
    Table.print(
      Row(
        what: "pipes: throttle, map, filter, removeDuplicates, switchToLatest",
        samples: stage,
        unit: .rate,
        goal: .atLeast(0.8 * heap.median),
        floor: floor
      )
    )
  }

  private static let typed = 100_000

  private static func typeOnStage() {
    let stage = Stage()
    let count = stage.enter { Typing(on: stage.scheduler, count: typed) }
    finish(stage)
    precondition(count.received > 0, "Values were received.")
  }

  private static func typeOnHeap() {
    let scheduler = HeapScheduler()
    let count = Typing(on: scheduler, count: typed)
    scheduler.run()
    precondition(count.received > 0, "Values were received.")
  }
}

/// A user who types a key every 100 ms into a search that answers 40 ms after the latest text.
private final class Typing {
  private(set) var received = 0
  private let keys = PassthroughSubject<Int, Never>()
  private var search: AnyCancellable?

  /// Uses the operators of a stage's scheduler. They are chosen by its type, so both initialisers have the same lines.
  init(on scheduler: StageScheduler, count: Int) {
    search =
      keys
      .throttle(for: .milliseconds(200), scheduler: scheduler, latest: true)
      .map { $0 / 3 }
      .filter { $0 % 100 != 99 }
      .removeDuplicates()
      .map { Just($0).delay(for: .milliseconds(40), scheduler: scheduler) }
      .switchToLatest()
      .sink { [unowned self] _ in received += 1 }
    type(0, of: count, on: scheduler)
  }

  /// Uses the operators of OpenCombine.
  init(on scheduler: HeapScheduler, count: Int) {
    search =
      keys
      .throttle(for: .milliseconds(200), scheduler: scheduler, latest: true)
      .map { $0 / 3 }
      .filter { $0 % 100 != 99 }
      .removeDuplicates()
      .map { Just($0).delay(for: .milliseconds(40), scheduler: scheduler) }
      .switchToLatest()
      .sink { [unowned self] _ in received += 1 }
    type(0, of: count, on: scheduler)
  }

  private func type<S: Scheduler>(_ key: Int, of count: Int, on scheduler: S) {
    guard key < count else { return }
    keys.send(key)
    let next = scheduler.now.advanced(by: .milliseconds(100))
    scheduler.schedule(after: next) { self.type(key + 1, of: count, on: scheduler) }
  }
}

/// The lower bound: a binary heap of actions, by time, then by arrival, and a loop that calls the first.
private final class HeapScheduler: Scheduler {
  typealias SchedulerTimeType = StageScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  private struct Event {
    let time: Int64
    let sequence: Int
    let action: () -> Void

    static func < (left: Event, right: Event) -> Bool {
      (left.time, left.sequence) < (right.time, right.sequence)
    }
  }

  private var time: Int64 = 0
  private var count = 0
  private var events: [Event] = []

  var now: SchedulerTimeType { SchedulerTimeType(StageInstant(nanoseconds: time)) }
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: Never?, _ action: @escaping () -> Void) { add(action, at: time) }

  func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: Never?,
    _ action: @escaping () -> Void
  ) {
    add(action, at: date.instant.nanoseconds)
  }

  func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    preconditionFailure("None of these operators repeats anything.")
  }

  private func add(_ action: @escaping () -> Void, at time: Int64) {
    count += 1
    events.append(Event(time: time, sequence: count, action: action))
    var hole = events.count - 1
    while hole > 0, events[hole] < events[(hole - 1) / 2] {
      events.swapAt(hole, (hole - 1) / 2)
      hole = (hole - 1) / 2
    }
  }

  func run() {
    while let event = popFirst() {
      time = event.time
      event.action()
    }
  }

  private func popFirst() -> Event? {
    guard let last = events.indices.last else { return nil }
    events.swapAt(0, last)
    let first = events.removeLast()
    var hole = 0
    while true {
      var child = hole * 2 + 1
      guard child < events.count else { return first }
      if child + 1 < events.count, events[child + 1] < events[child] { child += 1 }
      guard events[child] < events[hole] else { return first }
      events.swapAt(hole, child)
      hole = child
    }
  }
}
