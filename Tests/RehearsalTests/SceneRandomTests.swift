#if os(Linux)
import Observation
import Rehearsal
import Testing

/// Random numbers that the code of a scene draws.
@MainActor @Suite struct SceneRandomTests {
  @MainActor @Observable final class Die {
    private(set) var face = 0

    func roll() { face = .random(in: 1...1_000_000_000) }

    func rollLater() async throws {
      try await Task.sleep(for: .seconds(1))
      roll()
    }
  }

  private static let die = Scene("die", "A die.") { scene in
    let die = Die()
    scene.property("face", of: die, \.face)
    scene.command("roll", "Rolls.") { die.roll() }
    scene.command("roll.later", "Rolls after a second.") { try await die.rollLater() }
    scene.command("waste", "Draws a number that nothing shows.") { _ = Int.random(in: 0..<9) }
  }

  /// Returns the last line of output of the commands in a new session.
  private func lastLine(of commands: String...) -> String? {
    let lines = Lines()
    let host = SessionHost(files: MemoryFiles(), scenes: [Self.die]) { lines.all.append($0) }
    for command in ["scene die"] + commands { host.perform(command) }
    host.end()
    return lines.all.last
  }

  @MainActor private final class Lines {
    var all: [String] = []
  }

  @Test func `the option seed decides the numbers`() {
    let first = lastLine(of: "roll")
    #expect(first?.hasPrefix("   0.000s  face  0 → ") == true)
    #expect(lastLine(of: "roll") == first)
    #expect(lastLine(of: "set seed 0", "roll") == first)
    #expect(lastLine(of: "set seed 7", "roll") == lastLine(of: "set seed 7", "roll"))
    #expect(lastLine(of: "set seed 7", "roll") != first)
    #expect(lastLine(of: "waste", "roll") != first)
  }

  @Test func `a command that is performed again after undo draws the same number`() {
    #expect(lastLine(of: "roll", "undo", "roll") == lastLine(of: "roll"))
    #expect(lastLine(of: "waste", "roll", "undo", "roll") == lastLine(of: "waste", "roll"))
    let later = lastLine(of: "roll.later", "wait 1s")
    #expect(lastLine(of: "roll.later", "wait 1s", "undo", "wait 1s") == later)
  }

  @Test func `numbers of a command do not depend on another command`() {
    // The first task rolls last.
    func rolls(_ second: String) -> [String] {
      let lines = Lines()
      let host = SessionHost(files: MemoryFiles(), scenes: [Self.die]) { lines.all.append($0) }
      for command in ["scene die", "at 1s roll.later", second, "wait 5s"] { host.perform(command) }
      host.end()
      return lines.all.filter { $0.hasPrefix("   2.000s  face") }
        .compactMap { $0.split(separator: " ").last.map(String.init) }
    }
    #expect(rolls("at 500ms roll") == rolls("at 500ms waste"))
    #expect(rolls("at 500ms roll").count == 1)
  }
}
#endif
