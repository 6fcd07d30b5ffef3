import Rehearsal
import Scenes
import Testing

@Suite struct ScenesTests {
  @Test(arguments: Scenes.all.map(\.name))
  func `a scene can be set up again in one session after its members are forgotten`(name: String) {
    let lines = Lines()
    let host = SessionHost(files: MemoryFiles(), scenes: Scenes.all) { lines.all.append($0) }
    host.perform("scene \(name)")
    let members = host.completion(of: "forget ").candidates.map(\.text)
      .filter { !["route", "assertion"].contains($0) }
    host.perform("forget " + members.joined(separator: " "))
    let first = lines.all
    host.perform("scene \(name)")
    #expect(!first.isEmpty && lines.all == first + first)
    host.end()
  }

  @Test func `every scene has a unique name and a summary`() {
    #expect(Set(Scenes.all.map(\.name)).count == Scenes.all.count)
    #expect(Scenes.all.allSatisfy { $0.summary.hasSuffix(".") && !$0.details.isEmpty })
  }

  @MainActor private final class Lines {
    nonisolated(unsafe) var all: [String] = []  // Only the test's thread touches it.
  }
}
