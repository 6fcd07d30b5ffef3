import RehearsalTesting
import Testing

@Test(.explored) @MainActor func `the screen shows the latest profile`() async throws {
  let model = RepairedProfileModel { id in
    try await Task.sleep(for: .milliseconds(100))
    return "profile \(id)"
  }
  model.show(1)
  model.show(2)
  try await Task.sleep(for: .seconds(1))
  #expect(model.name == "profile 2")
}
