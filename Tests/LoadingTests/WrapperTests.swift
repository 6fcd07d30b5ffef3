import Loading
import Staging
import Testing

@MainActor final class Screen {
  enum Action { case saving, deleting }

  @Loadable<Int> var number
  @Loadable var word: LoadableState<String> = .loaded("old")
  @Loadable(policy: .processed) var compatible: LoadableState<Int> = .absent
  @LoadingProcess var saving
  @LoadingProcess<Action> var action
  @LoadingProcess(policy: .processedWrapper) var ignored: SingleProcessState = .finished(.init())
  @TaskIdentifier var reload
}

/// A part of a screen that receives a binding.
@MainActor struct Part {
  @Loadable<Int>.Binding var number: LoadableState<Int>
  @ProcessBinding<Screen.Action> var action: ProcessState<Screen.Action>

  init(number: LoadableBinding<Int>, action: ProcessBinding<Screen.Action>) {
    _number = .init(number)
    _action = .init(action)
  }
}

@MainActor
@Suite struct WrapperTests {
  private let stage = Stage()
  private let screen = Screen()

  private func value<Value>(_ milliseconds: Int, _ value: Value) async throws -> Value {
    try await Task.sleep(for: .milliseconds(milliseconds))
    return value
  }

  private func settled(_ body: () -> Void) {
    stage.enter {
      body()
      #expect(stage.settle() == .idle)
    }
  }

  private func awaited(_ body: @escaping () async -> Void) {
    settled { Task { await body() } }
  }

  @Test func `the four forms of load that return a task`() {
    settled {
      screen.$number.load { try await value(10, 1) }
      #expect(screen.number == .loading)
    }
    #expect(screen.number == .loaded(1))
    settled {
      screen.$number.load(interrupts: [.milliseconds(5)]) {
        try await value(10, 2)
      } onInterrupt: { _ in
        throw TimeoutError()
      }
    }
    #expect(screen.number == .error(TimeoutError()))
    settled { screen.$number.load { yield in yield(.loaded(try await value(10, 3))) } }
    #expect(screen.number == .loaded(3))
    settled {
      screen.$number.load(silently: true, interrupts: [.milliseconds(5)], priority: .low) { yield in
        yield(.loaded(4))
        _ = try await value(10, 0)
      } onInterrupt: { _ in
        throw CancelLoadable()
      }
    }
    #expect(screen.number == .loaded(4))
  }

  @Test func `the four forms of load that are awaited`() {
    awaited { await screen.$number.load { try await value(10, 1) } }
    #expect(screen.number == .loaded(1))
    awaited {
      await screen.$number.load(interrupts: [.milliseconds(5)]) {
        try await value(10, 2)
      } onInterrupt: { _ in
        throw ResetLoadable()
      }
    }
    #expect(screen.number == .absent)
    awaited { await screen.$number.load { yield in yield(.loaded(3)) } }
    #expect(screen.number == .loaded(3))
    awaited {
      await screen.$number.load(interrupts: [.milliseconds(50)]) { yield in
        yield(.loaded(try await value(10, 4)))
      } onInterrupt: { _ in
        throw TimeoutError()
      }
    }
    #expect(screen.number == .loaded(4))
  }

  @Test func `the forms of run, with and without a kind`() {
    settled { screen.$action.run(.saving) { try await value(10, ()) } }
    #expect(screen.action == .finished(.saving))
    settled {
      screen.$action.run(.deleting, interrupts: [.milliseconds(5)]) {
        try await value(10, ())
      } onInterrupt: { _ in
        throw TimeoutError()
      }
    }
    #expect(screen.action == .failed(process: .deleting, error: TimeoutError()))
    awaited { await screen.$action.run(.saving, silently: true) { throw ResetProcess() } }
    #expect(screen.action == .idle)
    awaited {
      await screen.$action.run(.saving, interrupts: [.milliseconds(50)]) {
        try await value(10, ())
      } onInterrupt: { _ in
      }
    }
    #expect(screen.action.hasFinished(.saving))
    settled { screen.$saving.run { throw Boom() } }
    #expect(screen.saving == .failed(process: SingleProcess(run: 1), error: Boom()))
    settled {
      screen.$saving.run(interrupts: [.milliseconds(5)], priority: .high) {
        try await value(10, ())
      } onInterrupt: { _ in
      }
    }
    #expect(screen.saving == .finished(SingleProcess(run: 2)))
    awaited { await screen.$saving.run { try await value(10, ()) } }
    #expect("\(screen.saving)" == "finished(#3)")
    awaited {
      await screen.$saving.run(interrupts: [.milliseconds(5)]) {
        try await value(10, ())
      } onInterrupt: { _ in
        throw CancelProcess()
      }
    }
    #expect("\(screen.saving)" == "finished(#3)")
  }

  @Test func `cancel, reset and direct writes`() {
    settled {
      screen.$word.load { try await value(10, "new") }
      screen.$word.cancel()
    }
    #expect(screen.word == .loaded("old"))
    settled {
      screen.$word.load { try await value(10, "new") }
      screen.word = .loaded("mine")
    }
    #expect(screen.word == .loaded("mine"))
    screen.$word.reset()
    #expect(screen.word == .absent)
    settled {
      screen.$compatible.load { try await value(10, 1) }
      screen.$compatible.cancel()
    }
    #expect(screen.compatible == .loading)
  }

  @Test func `a wrapper for a single process starts idle in Processed`() {
    #expect(screen.ignored == .idle)
  }

  @Test func `a part of a screen shares the state of its binding`() {
    let part = Part(number: screen.$number, action: screen.$action)
    settled {
      part.$number.load { try await value(10, 5) }
      part.$action.run(.saving) { throw Boom() }
    }
    #expect(screen.number == .loaded(5) && part.number == .loaded(5))
    #expect(screen.action.hasFailed(.saving))
    part.number = .loaded(6)
    #expect(screen.number == .loaded(6))
  }

  @Test func `a constant binding ignores writes`() {
    let constant = LoadableBinding<Int>.constant(.loaded(1))
    settled { constant.load { try await value(10, 2) } }
    constant.loadedBinding?.wrappedValue = 3
    constant.wrappedValue = .absent
    constant.reset()
    #expect(constant.wrappedValue == .loaded(1))
    #expect(constant.driver.kept == 1)
    let process = ProcessBinding<Int>.constant(.running(1))
    process.reset()
    #expect(process.wrappedValue == .running(1))
  }

  @Test func `observed events do not change the state of a constant`() {
    let constant = LoadableBinding<Int>.constant(.loaded(1))
    var observed: [String] = []
    constant.driver.observer = {
      observed.append("\(word(for: $0.change)): \($0.before.state), \($0.after.state)")
    }
    settled { constant.load { try await value(10, 2) } }
    constant.reset()
    #expect(
      observed == [
        "start #1: loaded(1), loaded(1)", "#1 returned 2: loaded(1), loaded(1)",
        "reset nothing: loaded(1), loaded(1)",
      ]
    )
  }

  @Test func `the loaded value is edited in place, and read at each access`() throws {
    #expect(screen.$number.loadedBinding == nil)
    let word = try #require(screen.$word.loadedBinding)
    word.wrappedValue = "edited"
    #expect(screen.word == .loaded("edited") && word.wrappedValue == "edited")
    screen.word = .loaded("changed elsewhere")
    #expect(word.wrappedValue == "changed elsewhere")
    screen.word = .error(Boom())
    word.wrappedValue = "too late"
    #expect(screen.word == .error(Boom()) && word.wrappedValue == "changed elsewhere")
  }

  @Test func `the state alone can be passed on`() {
    let binding = screen.$word.binding
    binding.wrappedValue = .loading
    #expect(screen.word == .loading)
    #expect(StateBinding.constant(1).wrappedValue == 1)
  }

  @Test func `a task identifier requests a restart`() {
    let first = screen.reload
    screen.$reload.new()
    #expect(screen.reload != first)
    screen.$reload.new(7)
    #expect(screen.reload == 7)
  }
}
