import Foundation
import Loading
import Staging
import Testing

/// The forms of Processed for the main actor, and its initialisers.
@MainActor
@Suite struct FormTests {
  // MARK: The main actor

  /// Called by an async function without an actor: on a stage and on the ordinary executors.
  @concurrent private static nonisolated func loadWithoutActor() async -> String {
    let model = MainModel()
    await model.refresh()
    await model.save()
    return await "\(model.number) \(model.saving)"
  }

  @Test func `a class with the form for the main actor writes on the main actor`() async throws {
    #expect(await Self.loadWithoutActor() == "loaded(1) finished(#1)")
    try Stage().run { #expect(await Self.loadWithoutActor() == "loaded(1) finished(#1)") }
  }

  // MARK: Initialisers

  @Test func `bindings with the same state and task act as one`() {
    let stage = Stage()
    stage.enter {
      let storage = Storage()
      func slow(_ value: Int) async throws -> Int {
        try await Task.sleep(for: .seconds(1))
        return value
      }
      let first = storage.binding().load { try await slow(1) }
      #expect(storage.task == first)
      storage.binding().load { try await slow(2) }
      #expect(first.isCancelled)
      #expect(stage.settle() == .idle)
      #expect(storage.history == ["loading", "loaded(2)"])

      storage.binding().load(silently: true) { try await slow(3) }
      storage.binding().cancel()
      #expect(storage.task == nil)
      #expect(stage.settle() == .idle)
      #expect(storage.history == ["loading", "loaded(2)"])

      Task { await storage.binding().load { try await slow(4) } }
      #expect(stage.settle() == .idle)
      #expect(storage.history == ["loading", "loaded(2)", "loading", "loaded(4)"])
      storage.binding().reset()
      #expect(storage.state == .absent)
    }
  }

  @Test func `a process has the same forms`() {
    let stage = Stage()
    stage.enter {
      let storage = ProcessStorage()
      let first = storage.binding().run { try await Task.sleep(for: .seconds(1)) }
      let second = storage.binding().run {}
      #expect(first.isCancelled)
      #expect(storage.task == second)
      #expect(stage.settle() == .idle)
      #expect(storage.state.hasFinished)

      let driver = LoadDriver<SingleProcessState>()
      LoadingProcess<SingleProcess>.Binding(driver).run {}
      #expect(stage.settle() == .idle)
      #expect(driver.state.hasFinished)
    }
  }

  @Test func `identities of processes have a name and a date`() {
    let date = Date(timeIntervalSince1970: 0)
    #expect(
      SingleProcess(id: "a", initializedAt: date) == SingleProcess(id: "a", initializedAt: date)
    )
    #expect(
      SingleProcess(id: "a", initializedAt: date)
        != SingleProcess(id: "a", initializedAt: date + 1)
    )
    #expect(SingleProcess(id: "a", initializedAt: date) != SingleProcess(id: "a"))
    #expect("\(SingleProcess(id: "a", initializedAt: date))" == "a")
  }

  @Test func `a task identifier may be a UUID`() {
    @TaskIdentifier<UUID> var reload
    let before = reload
    $reload.new()
    #expect(reload != before)
  }
}

/// No attribute: the conformance puts it on the main actor.
private final class MainModel: MainActorLoadableSupport, MainActorProcessSupport {
  var number: LoadableState<Int> = .absent { didSet { MainActor.assertIsolated() } }
  var saving: SingleProcessState = .idle { didSet { MainActor.assertIsolated() } }

  func refresh() async {
    await load(\.number) {
      MainActor.assertIsolated()
      return 1
    }
  }

  func save() async {
    await run(\.saving) { MainActor.assertIsolated() }
  }
}

@MainActor private final class Storage {
  var history: [String] = []
  var task: Task<Void, Never>?
  var state: LoadableState<Int> = .absent { didSet { history.append("\(state)") } }

  func binding() -> Loadable<Int>.Binding {
    .init(
      state: StateBinding(get: { self.state }, set: { self.state = $0 }),
      task: StateBinding(get: { self.task }, set: { self.task = $0 })
    )
  }
}

@MainActor private final class ProcessStorage {
  var task: Task<Void, Never>?
  var state: SingleProcessState = .idle

  func binding() -> LoadingProcess<SingleProcess>.Binding {
    .init(
      state: StateBinding(get: { self.state }, set: { self.state = $0 }),
      task: StateBinding(get: { self.task }, set: { self.task = $0 })
    )
  }
}
