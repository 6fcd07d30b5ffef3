import Loading
import Staging
import Testing

/// Code of users of Processed, with only the import changed.
@MainActor final class ViewModel: LoadableSupport, ProcessSupport {
  enum Action: Equatable { case saving, deleting }

  var numbers: LoadableState<[Int]> = .absent
  var action: ProcessState<Action> = .idle
  var upload: SingleProcessState = .idle
  var note = ""
  private var calls = 0

  func fetch() async throws -> [Int] {
    MainActor.assertIsolated()
    calls += 1
    try await Task.sleep(for: .milliseconds(100))
    MainActor.assertIsolated()
    return [calls]
  }

  func loadReturning() {
    load(\.numbers) {
      calls += 10
      return try await fetch()
    }
  }

  func loadReturningWithInterrupts() {
    load(\.numbers, silently: false, interrupts: [.milliseconds(50)], priority: .high) {
      try await fetch()
    } onInterrupt: { accumulatedDelay in
      note = "slow after \(accumulatedDelay)"
    }
  }

  func loadYielding() {
    load(\.numbers) { yield in
      yield(.loaded([0]))
      yield(.loaded(try await fetch()))
    }
  }

  func loadYieldingWithInterrupts() {
    load(\.numbers, interrupts: [.milliseconds(50)]) { yield in
      yield(.loaded([0]))
      _ = try await fetch()
    } onInterrupt: { _ in
      throw TimeoutError()
    }
  }

  func awaitReturning() async {
    await load(\.numbers) { try await fetch() }
  }

  func awaitReturningWithInterrupts() async {
    await load(\.numbers, interrupts: [.milliseconds(50)]) {
      try await fetch()
    } onInterrupt: { accumulatedDelay in
      note = "slow after \(accumulatedDelay)"
    }
  }

  func awaitYielding() async {
    await load(\.numbers) { yield in
      yield(.loaded(try await fetch()))
    }
  }

  func awaitYieldingWithInterrupts() async {
    await load(\.numbers, silently: true, interrupts: [.milliseconds(50)]) { yield in
      yield(.loaded(try await fetch()))
    } onInterrupt: { _ in
      throw ResetLoadable()
    }
  }

  func runKind() {
    run(\.action, as: .saving) { _ = try await fetch() }
  }

  func runKindWithInterrupts() {
    run(\.action, as: .deleting, interrupts: [.milliseconds(50)]) {
      _ = try await fetch()
    } onInterrupt: { _ in
      throw TimeoutError()
    }
  }

  func awaitKind() async {
    await run(\.action, as: .saving, silently: true) { _ = try await fetch() }
  }

  func awaitKindWithInterrupts() async {
    await run(\.action, as: .saving, interrupts: [.milliseconds(50)]) {
      _ = try await fetch()
    } onInterrupt: {
      note = "slow after \($0)"
    }
  }

  func runSingle() {
    run(\.upload, priority: .background) { _ = try await fetch() }
  }

  func runSingleWithInterrupts() {
    run(\.upload, interrupts: [.milliseconds(50)]) {
      _ = try await fetch()
    } onInterrupt: { _ in
      throw ResetProcess()
    }
  }

  func awaitSingle() async {
    await run(\.upload) { _ = try await fetch() }
  }

  func awaitSingleWithInterrupts() async {
    await run(\.upload, interrupts: [.milliseconds(50)]) {
      _ = try await fetch()
    } onInterrupt: { _ in
      throw CancelProcess()
    }
  }
}

@MainActor
@Suite struct OverloadTests {
  private let stage = Stage()
  private let model = ViewModel()

  /// Starts work, and returns the state at once and after all work has ended.
  private func states<State>(
    _ property: KeyPath<ViewModel, State>,
    _ body: (ViewModel) -> Void
  ) -> [String] {
    stage.enter {
      body(model)
      let first = String(reflecting: model[keyPath: property])
      #expect(stage.settle() == .idle)
      return [first, String(reflecting: model[keyPath: property])]
    }
  }

  private func endState<State>(
    _ property: KeyPath<ViewModel, State>,
    _ body: @escaping (ViewModel) async -> Void
  ) -> String {
    stage.enter {
      var isOver = false
      Task {
        await body(model)
        isOver = true
      }
      #expect(stage.settle() == .idle)
      #expect(isOver)
      return String(reflecting: model[keyPath: property])
    }
  }

  @Test func `the four forms of load that return a task`() {
    #expect(states(\.numbers) { $0.loadReturning() } == ["loading", "loaded([11])"])
    #expect(states(\.numbers) { $0.loadReturningWithInterrupts() } == ["loading", "loaded([12])"])
    #expect(model.note == "slow after 0.05 seconds")
    #expect(states(\.numbers) { $0.loadYielding() } == ["loading", "loaded([13])"])
    #expect(
      states(\.numbers) { $0.loadYieldingWithInterrupts() } == ["loading", "error(TimeoutError)"]
    )
    #expect(model.driver(of: \.numbers).attemptCount == 4)
    #expect(model.driver(of: \.numbers).kept == [0])
  }

  @Test func `the four forms of load that are awaited`() {
    #expect(endState(\.numbers) { await $0.awaitReturning() } == "loaded([1])")
    #expect(endState(\.numbers) { await $0.awaitReturningWithInterrupts() } == "loaded([2])")
    #expect(model.note == "slow after 0.05 seconds")
    #expect(endState(\.numbers) { await $0.awaitYielding() } == "loaded([3])")
    #expect(endState(\.numbers) { await $0.awaitYieldingWithInterrupts() } == "absent")
  }

  @Test func `the four forms of run with a kind`() {
    #expect(states(\.action) { $0.runKind() } == ["running(saving)", "finished(saving)"])
    #expect(
      states(\.action) { $0.runKindWithInterrupts() }
        == ["running(deleting)", "failed(deleting, TimeoutError)"]
    )
    #expect(endState(\.action) { await $0.awaitKind() } == "finished(saving)")
    #expect(endState(\.action) { await $0.awaitKindWithInterrupts() } == "finished(saving)")
  }

  @Test func `the four forms of run without a kind`() {
    #expect(states(\.upload) { $0.runSingle() } == ["running(#1)", "finished(#1)"])
    #expect(states(\.upload) { $0.runSingleWithInterrupts() } == ["running(#2)", "idle"])
    #expect(endState(\.upload) { await $0.awaitSingle() } == "finished(#3)")
    // Cancelled from within: the previous state is restored.
    #expect(endState(\.upload) { await $0.awaitSingleWithInterrupts() } == "finished(#3)")
  }

  @Test func `cancel and reset by key path`() {
    #expect(
      states(\.numbers) {
        $0.loadReturning()
        $0.cancel(\.numbers)
      } == ["absent", "absent"]
    )
    #expect(
      states(\.action) {
        $0.runKind()
        $0.reset(\.action)
      } == ["idle", "idle"]
    )
  }

  @Test func `two instances do not affect each other`() {
    let other = ViewModel()
    let seen = states(\.numbers) { model in
      model.loadReturning()
      other.loadReturning()
      other.cancel(\.numbers)
    }
    #expect(seen == ["loading", "loaded([11])"])
    #expect(other.numbers == .absent)
  }

  @Test func `a property that is written directly keeps the written value`() {
    let seen = states(\.numbers) { model in
      model.loadReturning()
      model.numbers = .loaded([7])
    }
    #expect(seen == ["loaded([7])", "loaded([7])"])
  }
}
