import Exploring
import Testing

@testable import Rehearsal

/// Returns the findings of a search through all schedules of a script.
func explored(
  _ commands: [String],
  _ plan: Exploration.Plan = .init(.exhaustive, seeds: 0..<10_000),
  scenes: [Scene] = []
) throws -> Findings {
  let text = commands.joined(separator: "\n") + "\n"
  let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
  let script = try ExploredScript(file, scenes: scenes)
  let exploration = Exploration(plan, script.play)
  return exploration.run()
}

/// Returns the output of a session.
func performed(_ commands: [String], scenes: [Scene] = []) -> [String] {
  nonisolated(unsafe) var lines: [String] = []  // Only this thread performs commands.
  let host = SessionHost(files: MemoryFiles(), scenes: scenes) { lines.append($0) }
  for command in commands { host.perform(command) }
  host.end()
  return lines
}
