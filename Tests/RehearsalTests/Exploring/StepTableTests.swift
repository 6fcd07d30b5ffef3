import Exploring
import Observation
import Testing

@testable import Rehearsal

/// The steps of a run of a script, each in the column of its task.
@MainActor @Suite struct StepTableTests {
  @MainActor @Observable fileprivate final class Pair {
    var left = 0
    var right = 0
  }

  private static let pair = Scene("pair", "Two values.") { scene in
    let pair = Pair()
    scene.property("left") { pair.left }
    scene.property("right") { pair.right }
    scene.command("go", "Changes both.") {
      Task(name: "left") { pair.left = 1 }
      Task(name: "right") { pair.right = 1 }
    }
  }

  private func steps(_ text: String, by schedule: Schedule) throws -> [[String]] {
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [Self.pair])
    return script.traced(by: schedule).events.map { [$0.task, $0.text] }
  }

  @Test(arguments: [("default", "left", "right"), ("1:1", "right", "left")])
  func `a change is a row of the task that made it`(
    schedule: String,
    first: String,
    second: String
  ) throws {
    let schedule = try #require(schedule == "default" ? Schedule() : Schedule(schedule))
    let steps = try steps("scene pair\ngo\nsettle\n", by: schedule)
    let changes = steps.filter { $0[1].hasPrefix("→ ") }
    #expect(
      changes == [
        ["'\(first)'", "→ \(first)  0 → 1"], ["'\(second)'", "→ \(second)  0 → 1"],
      ]
    )
    #expect(steps.first == ["the script", "> scene pair"])
  }

  @Test func `attempts have separate columns, named by their members`() throws {
    let steps = try steps(
      "loadable a\nloadable b\nload a 1 after 1s\nload b 2 after 1s\nsettle\n",
      by: Schedule()
    )
    #expect(steps.contains(["a #1", "→ a  loading #1 → loaded 1"]))
    #expect(steps.contains(["b #1", "→ b  loading #1 → loaded 2"]))
  }
}
