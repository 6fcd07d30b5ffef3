import Exploring
import Testing

@testable import Rehearsal

/// What a search through all schedules of a script finds.
func explored(
  _ commands: [String],
  _ plan: Exploration.Plan = .init(.exhaustive, seeds: 0..<10_000)
) throws -> Findings {
  let text = commands.joined(separator: "\n") + "\n"
  let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
  let script = try ExploredScript(file, scenes: [])
  let exploration = Exploration(plan, script.play)
  return exploration.run()
}

/// What a session prints.
func performed(_ commands: [String]) -> [String] {
  nonisolated(unsafe) var lines: [String] = []  // Only this thread performs.
  let host = SessionHost(files: MemoryFiles()) { lines.append($0) }
  for command in commands { host.perform(command) }
  host.end()
  return lines
}
