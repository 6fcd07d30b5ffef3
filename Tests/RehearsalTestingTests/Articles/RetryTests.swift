import RehearsalTesting
import Testing

/// Tries an operation three times, and waits a minute after each failure.
func withRetries<Value>(_ operation: () async throws -> Value) async throws -> Value {
  for _ in 1...2 {
    do { return try await operation() } catch { try await Task.sleep(for: .seconds(60)) }
  }
  return try await operation()
}

@Test(.rehearsed) func `the third try comes after two minutes`() async throws {
  struct NoNetwork: Error {}
  let start = ContinuousClock.now
  var tries = 0
  let value = try await withRetries {
    tries += 1
    if tries < 3 { throw NoNetwork() }
    return "all posts"
  }
  #expect(value == "all posts")
  #expect(ContinuousClock.now - start == .seconds(120))
}
