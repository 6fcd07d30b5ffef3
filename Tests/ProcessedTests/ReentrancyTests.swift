import Foundation
import Loading
import Staging
import Testing

/// What code of Processed relies on: calls in `didSet`, the main actor, and initialisers.
@MainActor
@Suite struct ReentrancyTests {
  /// A class whose `didSet` calls the class again, as soon as the state is `loading`.
  @MainActor private final class Model: LoadableSupport {
    var history: [String] = []
    var react: (Model) -> Void = { _ in }
    var number: LoadableState<Int> = .absent {
      didSet {
        history.append("\(number)")
        if number == .loading { react(self) }
      }
    }
  }

  private func history(
    _ react: @escaping (Model) -> Void,
    _ script: @escaping @MainActor (Model) async -> Void
  ) -> [String] {
    let stage = Stage()
    return SharedSlots.$current.withValue(SharedSlots()) {
      stage.enter {
        let model = Model()
        model.react = react
        Task { await script(model) }
        #expect(stage.settle() == .idle)
        return model.history
      }
    }
  }

  @Test func `a cancellation in didSet does not reach the load that begins`() {
    #expect(
      history {
        $0.cancel(\.number)
      } _: { model in
        model.load(\.number) { 1 }
      } == ["loading", "loaded(1)"]
    )
    #expect(
      history {
        $0.cancel(\.number)
      } _: { model in
        await model.load(\.number) { 1 }
      } == ["loading", "loaded(1)"]
    )
  }

  @Test func `a cancellation in didSet reaches the load before`() {
    #expect(
      history { _ in
      } _: { model in
        model.load(\.number) {
          try await Task.sleep(for: .seconds(1))
          return 1
        }
        model.number = .absent
        model.react = { $0.cancel(\.number) }
        model.load(\.number) { 2 }
      } == ["loading", "absent", "loading", "loaded(2)"]
    )
  }

  @Test func `a reset in didSet does not reach the load that begins`() {
    #expect(
      history {
        $0.reset(\.number)
      } _: { model in
        model.load(\.number) { 1 }
      } == ["loading", "absent", "loaded(1)"]
    )
  }

  @Test func `a load in didSet begins before the load that wrote the state`() {
    let react: (Model) -> Void = { model in
      model.react = { _ in }
      model.load(\.number) { 2 }
    }
    #expect(
      history(react) { model in model.load(\.number) { 1 } } == [
        "loading", "loaded(2)", "loaded(1)",
      ]
    )
  }

  @Test func `after a reset in didSet the stored task is the load that began`() {
    #expect(
      history {
        $0.reset(\.number)
      } _: { model in
        model.load(\.number) {
          try await Task.sleep(for: .seconds(1))
          return 1
        }
        model.cancel(\.number)
      } == ["loading", "absent"]
    )
  }

  @Test func `the default policy cancels the load in didSet`() {
    let stage = Stage()
    stage.enter {
      let model = LatestModel()
      model.load(\.number) { 1 }
      #expect(stage.settle() == .idle)
      #expect(model.number == .absent)
    }
  }
}

@MainActor private final class LatestModel: LoadableSupport {
  nonisolated var loadingPolicy: LoadingPolicy { .latest }
  var number: LoadableState<Int> = .absent {
    didSet { if number == .loading { cancel(\.number) } }
  }
}
