import Exploring
import Rehearsal

/// What it takes to make a script in any worker; this process itself performs nothing.
struct SearchedScript {
  let file: Playable
  let scenes: [Scene]
  /// What is not judged.
  let allowed: Set<Invariant>

  var commands: [String] { ExploredScript.commands(of: file) }

  /// The script, performed once.
  ///
  /// - Throws: `Refusal` where it cannot be explored.
  func make(_ watch: ExploredScript.Watch) throws(ExploredScript.Refusal) -> ExploredScript {
    try ExploredScript(file, scenes: scenes, allowing: allowed, watch: watch)
  }
}
