import Loading
import Staging
import Testing

/// Drivers whose state is a property outside of them, with public API only.
@MainActor
@Suite struct PropertyTests {
  @MainActor
  final class Owner {
    var history: [String] = []
    var state = LoadableState<Int>.absent {
      didSet { history.append(state.debugDescription) }
    }
    private let stage: Stage
    lazy var driver = LoadDriver<LoadableState<Int>>(
      clock: stage.clock,
      reading: { [weak self] in self?.state },
      writing: { [weak self] in self?.state = $0 }
    )

    init(on stage: Stage) {
      self.stage = stage
    }

    func load(_ value: Int) {
      driver.start(()) { [stage] _ in
        try await stage.clock.sleep(for: .milliseconds(100))
        return value
      }
    }
  }

  @Test func `every write reaches the property`() {
    let stage = Stage()
    stage.enter {
      let owner = Owner(on: stage)
      owner.load(1)
      #expect(owner.state.isLoading)
      #expect(stage.settle() == .idle)
      #expect(owner.history == ["loading", "loaded(1)"])
    }
  }

  @Test func `a direct write cancels the attempt in flight`() {
    let stage = Stage()
    stage.enter {
      let owner = Owner(on: stage)
      owner.load(1)
      owner.state = .loaded(7)
      #expect(owner.driver.state == .loaded(7))
      #expect(stage.settle() == .idle)
      #expect(owner.history == ["loading", "loaded(7)"])
    }
  }

  @Test func `a driver continues after the owner of its property is released`() {
    let stage = Stage()
    stage.enter {
      var owner: Owner? = Owner(on: stage)
      owner?.load(1)
      let driver = owner?.driver
      owner = nil
      #expect(stage.settle() == .idle)
      #expect(driver?.state == .loaded(1))
    }
  }
}
