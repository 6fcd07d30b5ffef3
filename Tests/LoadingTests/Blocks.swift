import Loading
import Staging

extension Probe where State == LoadableState<Int> {
  typealias Block = (AttemptContext<LoadableState<Int>>) async throws -> Int?

  /// Sleeps and returns; cancellation ends the sleep.
  func coop(_ milliseconds: Int, _ value: Int) -> Block {
    { [stage] _ in
      try await stage.clock.sleep(for: .milliseconds(milliseconds))
      return value
    }
  }

  /// Sleeps and returns; ignores cancellation.
  func stub(_ milliseconds: Int, _ value: Int) -> Block {
    { [stage] _ in
      await deafSleep(milliseconds, on: stage)
      return value
    }
  }

  /// Sleeps and throws; ignores cancellation.
  func stub(_ milliseconds: Int, throwing error: any Error) -> Block {
    { [stage] _ in
      await deafSleep(milliseconds, on: stage)
      throw error
    }
  }

  /// Sleeps and returns, and throws `Boom` if it is cancelled.
  func converting(_ milliseconds: Int, _ value: Int) -> Block {
    { [stage] _ in
      do {
        try await stage.clock.sleep(for: .milliseconds(milliseconds))
      } catch {
        throw Boom()
      }
      return value
    }
  }

  func at(_ milliseconds: Int, _ body: @escaping @MainActor () -> Void) {
    stage.schedule(at: StageInstant(elapsed: .milliseconds(milliseconds)), body)
  }

  func load(_ block: @escaping Block, silently: Bool = false) {
    driver.start((), silently: silently, block: block)
  }

  /// Awaits a load in a new task.
  @discardableResult
  func loadAsync(_ block: @escaping Block) -> Task<Void, Never> {
    Task { await driver.run((), block: block) }
  }
}

func deafSleep(_ milliseconds: Int, on stage: Stage) async {
  let clock = stage.clock
  await Task { try? await clock.sleep(for: .milliseconds(milliseconds)) }.value
}
