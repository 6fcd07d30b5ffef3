import Loading
import Staging
import Testing

/// A class without a global actor; its owner calls it.
final class Library: LoadableSupport {
  var books: LoadableState<Int> = .absent
}

actor Librarian {
  private let library = Library()
  private let driver = LoadDriver<LoadableState<Int>>()
  private var count = 0

  func work() async -> [String] {
    let task: Task<Void, Never> = library.load(\.books) {
      self.assertIsolated()
      self.count += 1
      try await Task.sleep(for: .milliseconds(10))
      self.assertIsolated()
      return self.count
    }
    await task.value
    let first = "\(library.books)"
    await library.load(\.books, interrupts: [.milliseconds(5)]) {
      try await Task.sleep(for: .milliseconds(10))
      return 0
    } onInterrupt: { _ in
      self.assertIsolated()
      throw TimeoutError()
    }
    driver.observer = { _ in self.assertIsolated() }
    await driver.run(()) { context in
      self.assertIsolated()
      context.yield(.loaded(self.count))
      return nil
    }
    return [first, "\(library.books)", "\(driver.state)"]
  }
}

final class CompatibleLibrary: LoadableSupport {
  var books: LoadableState<Int> = .absent
  var loadingPolicy: LoadingPolicy { .processed }
}

@MainActor final class StagedModel: LoadableSupport {
  var value: LoadableState<Int> = .absent
  nonisolated let loadingClock: any Clock<Duration>
  nonisolated var loadingPolicy: LoadingPolicy { .ignore }

  init(clock: any Clock<Duration>) {
    loadingClock = clock
  }
}

@Suite struct IsolationTests {
  @Test func `blocks and interrupts run on the actor that calls`() throws {
    let stage = Stage()
    try stage.run {
      #expect(await Librarian().work() == ["loaded(1)", "error(TimeoutError)", "loaded(1)"])
    }
    #expect(stage.now.elapsed == .milliseconds(15))
  }

  @MainActor
  @Test func `instances share their stored task only in Processed`() {
    let stage = Stage()
    SharedSlots.$current.withValue(SharedSlots()) {
      stage.enter {
        let (x, y) = (CompatibleLibrary(), CompatibleLibrary())
        let clock = stage.clock
        for library in [x, y] {
          library.load(\.books) {
            try await clock.sleep(for: .seconds(1))
            return 1
          }
        }
        #expect(stage.settle() == .idle)
        #expect(x.books == .loading)
        #expect(y.books == .loaded(1))
      }
    }
  }

  @MainActor
  @Test func `a class chooses its policy and its clock`() {
    let stage = Stage()
    stage.enter {
      let model = StagedModel(clock: stage.clock)
      for value in 1...2 {
        model.load(\.value, interrupts: [.milliseconds(50)]) {
          try await Task.sleep(for: .milliseconds(100))
          return value
        } onInterrupt: { _ in
        }
      }
      #expect(stage.settle() == .idle)
      #expect(model.value == .loaded(1))
      #expect(model.driver(of: \.value).attemptCount == 1)
    }
  }

  @Test func `without an actor a driver works on a stage`() throws {
    let stage = Stage()
    try stage.run {
      let driver = LoadDriver<LoadableState<Int>>(clock: stage.clock)
      let task = driver.start(()) { context in
        context.yield(.loaded(1))
        try await stage.clock.sleep(for: .milliseconds(10))
        return 2
      }
      #expect(driver.state == .loading)
      await task.value
      #expect(driver.state == .loaded(2))
      await driver.run((), interrupts: [.milliseconds(5)], onInterrupt: { _ in throw Boom() }) {
        _ in
        await deafSleep(10, on: stage)
        return 3
      }
      #expect(driver.state == .error(Boom()))
      #expect(stage.now.elapsed == .milliseconds(15))
    }
  }

  @MainActor
  @Test func `a block may be a function of the main actor`() {
    let stage = Stage()
    stage.enter {
      let model = ViewModel()
      let block: @MainActor () async throws -> [Int] = { [1] }
      model.load(\.numbers, block: block)
      #expect(stage.settle() == .idle)
      #expect(model.numbers == .loaded([1]))
      model.load(\.numbers, block: model.fetch)
      #expect(stage.settle() == .idle)
      #expect(model.numbers == .loaded([1]))
      #expect(model.driver(of: \.numbers).attemptCount == 2)
    }
  }
}
