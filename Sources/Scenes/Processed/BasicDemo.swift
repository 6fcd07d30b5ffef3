import Loading

/// A screen of numbers: all of them after two seconds, or one per second.
@MainActor protocol BasicDemo: AnyObject {
  var numbersDriver: LoadDriver<LoadableState<[Int]>> { get }
  func load()
  func stream()
  func cancel()
  func reset()
}

@MainActor final class BasicWrapperDemo: BasicDemo {
  @Loadable<[Int]> private var numbers

  var numbersDriver: LoadDriver<LoadableState<[Int]>> { $numbers.driver }

  func load() {
    $numbers.load { try await fetchNumbers() }
  }

  func stream() {
    $numbers.load { yield in
      try await countToFive { yield(.loaded(Array(1...$0))) }
    }
  }

  func cancel() { $numbers.cancel() }

  func reset() { $numbers.reset() }
}

@MainActor final class BasicClassDemo: BasicDemo, LoadableSupport {
  private var numbers: LoadableState<[Int]> = .absent

  var numbersDriver: LoadDriver<LoadableState<[Int]>> { driver(of: \.numbers) }

  func load() {
    load(\.numbers) { try await fetchNumbers() }
  }

  func stream() {
    load(\.numbers) { yield in
      try await countToFive { yield(.loaded(Array(1...$0))) }
    }
  }

  func cancel() { cancel(\.numbers) }

  func reset() { reset(\.numbers) }
}

private func fetchNumbers() async throws -> [Int] {
  try await Task.sleep(for: .seconds(2))
  return [0, 1, 2, 42, 73]
}

/// Counts from 1 to 5, with one second before each number.
private func countToFive(_ next: (Int) -> Void) async throws {
  for number in 1...5 {
    try await Task.sleep(for: .seconds(1))
    next(number)
  }
}
