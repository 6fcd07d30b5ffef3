import Loading
import RemoteLoading
import Staging
import Testing

/// Custom sources: one with the two bugs of RemoteContentView's playground, and one that uses the
/// driver. Both use only public API.
@MainActor
@Suite struct CustomContentTests {
  @Test func `a token that is never cleared blocks retry, and a driver retries`() {
    let script: Script = { stage, content in
      content.load()
      at(200, on: stage) { content.load() }
    }
    #expect(
      history(of: { TokenContent(photos: $0) }, script) == [
        "0 inProgress(nil)", "100 failure(Offline)",
      ]
    )
    #expect(
      history(of: { DrivenContent(photos: $0) }, script) == [
        "0 inProgress(nil)", "100 failure(Offline)", "200 inProgress(nil)", "300 success(photo 2)",
      ]
    )
  }

  @Test func `a cancel that only clears its token accepts a late answer, and a driver does not`() {
    let script: Script = { stage, content in
      content.load()
      at(50, on: stage) { content.cancel() }
    }
    let start = ["0 inProgress(nil)", "50 initial"]
    #expect(
      history(of: { TokenContent(photos: $0) }, failures: 0, script)
        == start + ["100 success(photo 1)"]
    )
    #expect(history(of: { DrivenContent(photos: $0) }, failures: 0, script) == start)
  }

  @Test func `a type-erased custom source behaves the same`() {
    let script: Script = { stage, content in
      content.load()
      at(150, on: stage) { content.load() }
    }
    let plain = history(of: { DrivenContent(photos: $0) }, script)
    let erased = history(of: { AnyRemoteContent(DrivenContent(photos: $0)) }, script)
    #expect(plain.count == 4)
    #expect(erased == plain)
  }

  private typealias Script = (Stage, any RemoteContent<String, Double?>) -> Void

  private func history(
    of make: (PhotoService) -> any RemoteContent<String, Double?>,
    failures: Int = 1,
    _ script: Script
  ) -> [String] {
    let stage = Stage()
    return stage.enter {
      let content = make(PhotoService(clock: stage.clock, failures: failures))
      var history: [String] = []
      let observation = content.changes.observe {
        history.append("\(Int(stage.now.elapsed / .milliseconds(1))) \($0.debugDescription)")
      }
      script(stage, content)
      #expect(stage.settle() == .idle)
      observation.cancel()
      return history
    }
  }
}

@MainActor
private func at(_ milliseconds: Int, on stage: Stage, _ body: @escaping @MainActor () -> Void) {
  stage.schedule(at: StageInstant(elapsed: .milliseconds(milliseconds)), body)
}

private struct Offline: Error {}

/// Fails once and then returns photos. It ignores cancellation, like callback-based services.
@MainActor
private final class PhotoService {
  private let clock: StageClock
  private var failures: Int
  private var count = 0

  init(clock: StageClock, failures: Int) {
    self.clock = clock
    self.failures = failures
  }

  func photo() async throws -> String {
    count += 1
    let (number, clock) = (count, clock)
    await Task { try? await clock.sleep(for: .milliseconds(100)) }.value
    if number <= failures { throw Offline() }
    return "photo \(number)"
  }
}

/// The playground's source: a token says that a request is in flight.
@MainActor
private final class TokenContent: RemoteContent {
  let changes = RemoteContentChanges<String, Double?>()
  private(set) var loadingState = RemoteContentLoadingState<String, Double?>.initial {
    didSet { changes.send(loadingState) }
  }
  private let photos: PhotoService
  private var token: Int?

  init(photos: PhotoService) {
    self.photos = photos
  }

  func load() {
    guard token == nil else { return }
    token = 1
    loadingState = .inProgress(nil)
    Task {
      do {
        loadingState = .success(try await photos.photo())
      } catch {
        loadingState = .failure(error)
      }
    }
  }

  func cancel() {
    token = nil
    loadingState = .initial
  }
}

/// The same source with a driver.
@MainActor
private final class DrivenContent: RemoteContent {
  let changes = RemoteContentChanges<String, Double?>()
  private(set) var loadingState = RemoteContentLoadingState<String, Double?>.initial {
    didSet { changes.send(loadingState) }
  }
  private let photos: PhotoService
  private lazy var driver = LoadDriver(
    policy: .remoteContent,
    reading: { [weak self] in self?.loadingState },
    writing: { [weak self] in self?.loadingState = $0 }
  )

  init(photos: PhotoService) {
    self.photos = photos
  }

  func load() {
    driver.start(nil) { [photos] _ in try await photos.photo() }
  }

  func cancel() {
    driver.cancel()
  }
}
