import Testing

@testable import Loading

/// The transition table, without tasks or time: events in, states and effects out.
@Suite struct LoadMachineTests {
  typealias State = LoadableState<Int>
  typealias Machine = LoadMachine<State>

  private static let first = Attempt(number: 1)
  private static let second = Attempt(number: 2)

  /// The states that a list of events writes.
  private func writes(
    _ policy: LoadingPolicy,
    from initial: State = .absent,
    _ events: [Machine.Event]
  ) -> [State] {
    var machine = Machine(initial, policy: policy)
    return events.flatMap { machine.perform($0) }.compactMap {
      if case .write(let state) = $0 { state } else { nil }
    }
  }

  private static func start(silently: Bool = false) -> Machine.Event {
    .start((), silently: silently, form: .task)
  }

  private static func end(_ attempt: Attempt, _ outcome: Machine.Outcome) -> Machine.Event {
    .end(attempt, outcome, taskWasCancelled: false)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let initial: State
    let events: @Sendable () -> [Machine.Event]
    let latest: [State]
    let processed: [State]

    init(
      _ name: String,
      from initial: State = .absent,
      latest: [State],
      processed: [State]? = nil,
      events: @escaping @Sendable () -> [Machine.Event]
    ) {
      self.name = name
      self.initial = initial
      self.events = events
      self.latest = latest
      self.processed = processed ?? latest
    }

    var testDescription: String { name }
  }

  @Test(arguments: table) func `the transition table`(row: Row) {
    #expect(writes(.latest, from: row.initial, row.events()) == row.latest)
    #expect(writes(.processed, from: row.initial, row.events()) == row.processed)
  }

  private static let table: [Row] = [
    Row("absent, load", latest: [.loading]) { [start()] },
    Row("error, load", from: .error(Boom()), latest: [.loading]) { [start()] },
    Row("loaded, load", from: .loaded(7), latest: [.loading]) { [start()] },
    Row("loading, load: no news", latest: [.loading]) { [start(), start()] },
    Row("silent load", from: .loaded(7), latest: [.loaded(8)]) {
      [start(silently: true), end(first, .returned(8))]
    },
    Row("block returns", latest: [.loading, .loaded(1)]) { [start(), end(first, .returned(1))] },
    Row("block throws", latest: [.loading, .error(Boom())]) {
      [start(), end(first, .threw(Boom()))]
    },
    Row(
      "block asks to cancel",
      from: .loaded(7),
      latest: [.loading, .loaded(7)],
      processed: [.loading]
    ) { [start(), end(first, .threw(CancelLoadable()))] },
    Row("block asks to reset", from: .loaded(7), latest: [.loading, .absent]) {
      [start(), end(first, .threw(ResetLoadable()))]
    },
    Row("cancel", from: .error(Boom()), latest: [.loading, .error(Boom())], processed: [.loading]) {
      [start(), .cancel]
    },
    Row("reset", from: .loaded(7), latest: [.loading, .absent]) { [start(), .reset] },
    Row("cancel while settled", from: .loaded(7), latest: []) { [.cancel] },
    Row("reset while settled", from: .loaded(7), latest: [.absent]) { [.reset] },
    Row("reset while absent", latest: []) { [.reset] },
    Row("yields do not end the run", latest: [.loading, .loaded(1), .loaded(1), .loaded(2)]) {
      [
        start(), .yield(first, .loaded(1)), .yield(first, .loaded(1)),
        .yield(first, .loaded(2)), end(first, .returned(nil)),
      ]
    },
    Row(
      "late yield of a replaced one",
      latest: [.loading],
      processed: [.loading, .loaded(1)]
    ) { [start(), start(), .yield(first, .loaded(1))] },
    Row(
      "late value of a replaced one",
      latest: [.loading, .loaded(2)],
      processed: [.loading, .loaded(1), .loaded(2)]
    ) { [start(), start(), end(first, .returned(1)), end(second, .returned(2))] },
    Row(
      "writing by hand",
      latest: [.loading, .loaded(9)],
      processed: [.loading, .loaded(9), .loaded(1)]
    ) {
      [start(), .set(.loaded(9)), end(first, .returned(1))]
    },
    Row(
      "a yielded in-flight state is not a place to return to",
      latest: [.loading, .loaded(1), .loading, .loaded(1)],
      processed: [.loading, .loaded(1), .loading]
    ) { [start(), .yield(first, .loaded(1)), .yield(first, .loading), .cancel] },
    Row("an end is an end once", latest: [.loading, .loaded(1)]) {
      [start(), end(first, .returned(1)), end(first, .returned(2)), .yield(first, .absent)]
    },
  ]

  @Test func `without an observer no observations are made`() {
    var machine = Machine()
    let events = [Self.start(), Self.start(), .cancel, Self.end(Self.second, .returned(1))]
    for event in events {
      for effect in machine.perform(event) {
        if case .observe = effect { Issue.record("observed without an observer") }
      }
    }
  }

  @Test func `an observation shows the slot before and after`() {
    var machine = Machine(.loaded(7))
    machine.isObserved = true
    _ = machine.perform(Self.start())
    var seen: LoadObservation<State>?
    for effect in machine.perform(Self.start()) {
      if case .observe(let observation) = effect { seen = observation }
    }
    #expect(seen?.before.state == .loading && seen?.before.attempt == Self.first)
    #expect(seen?.after.state == .loading && seen?.after.attempt == Self.second)
  }

  @Test func `a cancelled attempt that is still loading differs from a live one`() {
    var machine = Machine(policy: .processed)
    _ = machine.perform(Self.start())
    #expect(machine.snapshot.attempt == Self.first)
    _ = machine.perform(.cancel)
    #expect(machine.snapshot.state == .loading && machine.snapshot.attempt == nil)
    #expect(machine.liveAttempts == [Self.first])
  }
}

extension LoadMachine {
  /// Handles an event, and stores the task of an attempt that begins, as the driver does.
  fileprivate mutating func perform(_ event: Event) -> [Effect] {
    let effects = handle(event)
    for case .begin(let attempt) in effects { _ = store(attempt) }
    return effects
  }
}
