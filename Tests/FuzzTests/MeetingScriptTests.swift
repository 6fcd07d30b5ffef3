import Rehearsal
import Scenes
import Testing

@testable import FuzzTargets

/// Sessions with many events at one instant.
@Suite struct MeetingScriptTests {
  /// Exploration skips commands with a mistake, so such a session would test nothing.
  @Test func `generated sessions have no mistakes`() {
    let mistakes = [
      "expected ", "did not expect", "there is no command", "has no kind", "not a JSON",
    ]
    for seed in UInt64(0)..<150 {
      var random = Randomness(seed: seed)
      let text = MeetingScript.compose(&random)
      let performer = SessionPerformer(fixtures: Fixtures(), folder: "/nowhere", scenes: Scenes.all)
      for command in text.split(separator: "\n") {
        _ = performer.perform(String(command)) { line in
          let isMistake = mistakes.contains { line.hasPrefix("error: " + $0) }
          #expect(!isMistake || line.contains(" at most "), "\(command): \(line)")
        }
      }
      performer.finish()
    }
  }
}
