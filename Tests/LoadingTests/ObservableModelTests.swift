import Loading
import Observation
import Staging
import Testing

/// Compiles only if no type in Loading has the name of the module that `@Observable` uses.
@MainActor @Observable private final class Model: LoadableSupport {
  private(set) var numbers: LoadableState<[Int]> = .absent

  func loadNumbers() {
    load(\.numbers) {
      try await Task.sleep(for: .seconds(1))
      return [1]
    }
  }
}

@MainActor
@Suite struct ObservableModelTests {
  @Test func `observation tracking sees a load into an observable class`() {
    let stage = Stage()
    let model = Model()
    nonisolated(unsafe) var changes = 0  // Only the test's thread drives the stage.
    stage.enter {
      model.loadNumbers()
      withObservationTracking {
        #expect(model.numbers == .loading)
      } onChange: {
        changes += 1
      }
      #expect(stage.settle() == .idle)
    }
    #expect(model.numbers == .loaded([1]))
    #expect(changes == 1)
  }
}
