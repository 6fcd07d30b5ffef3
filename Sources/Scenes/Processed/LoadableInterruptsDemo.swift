import Loading
import Observation

/// A load of ten seconds, with a note after two and a timeout after five.
@MainActor protocol LoadableInterruptsDemo: AnyObject {
  var numbersDriver: LoadDriver<LoadableState<[Int]>> { get }
  /// The text next to the spinner, or nil.
  var note: String? { get set }
  func load()
}

@MainActor @Observable final class LoadableInterruptsWrapperDemo: LoadableInterruptsDemo {
  @ObservationIgnored @Loadable<[Int]> private var numbers
  var note: String?

  var numbersDriver: LoadDriver<LoadableState<[Int]>> { $numbers.driver }

  func load() {
    note = nil
    $numbers.load(interrupts: [.seconds(2), .seconds(3)]) {
      try await fetchSlowNumbers()
    } onInterrupt: { [self] delay in
      try interrupt(after: delay)
    }
  }
}

@MainActor @Observable
final class LoadableInterruptsClassDemo: LoadableInterruptsDemo,
  LoadableSupport
{
  private var numbers: LoadableState<[Int]> = .absent
  var note: String?

  var numbersDriver: LoadDriver<LoadableState<[Int]>> { driver(of: \.numbers) }

  func load() {
    note = nil
    load(\.numbers, interrupts: [.seconds(2), .seconds(3)]) {
      try await fetchSlowNumbers()
    } onInterrupt: { delay in
      try interrupt(after: delay)
    }
  }
}

extension LoadableInterruptsDemo {
  fileprivate func interrupt(after delay: Duration) throws {
    note = nil
    guard delay < .seconds(5) else { throw TimeoutError() }
    note = "this takes longer than expected"
  }
}

private func fetchSlowNumbers() async throws -> [Int] {
  try await Task.sleep(for: .seconds(10))
  return [0, 1, 2, 42, 73]
}
