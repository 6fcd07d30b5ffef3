import Exploring
import Harness
import Rehearsal
import Scenes
import Script

/// Sessions in other orders. A run must be the same by its schedule, in a search, repeated, and as
/// a transcript.
struct ExploringTarget: FuzzTarget {
  let name = "exploring"

  var words: [String] {
    SessionTarget().words + [
      " after 1s", " after 1s to 2s", "\nin 1s ", "\nbetween 1s and 2s ", " or ",
    ]
  }

  /// Maximum number of commands of one session, and number of its runs.
  private static let (mostCommands, runs) = (20, UInt64(4))

  func pieces(of golden: [UInt8]) -> [[UInt8]] { [golden] }

  func compose(_ random: inout Randomness) -> [UInt8]? {
    let grammar = CommandGrammar(table: ShellCommands.table)
    var lines = ["loadable a", "loadable b", "load a 1 after 1s", "load b 2 after 1s to 2s"]
    for _ in 0...random.below(6) {
      lines.append((random.once(in: 3) ? "in 1s " : "") + grammar.command(&random))
    }
    return Array((lines + ["settle"]).joined(separator: "\n").utf8)
  }

  /// Returns the part of an input that can be explored, with its text; nil if there is none.
  static func script(_ bytes: [UInt8]) -> (script: ExploredScript, text: String)? {
    let commands = ScriptFile(bytes).commands.map(\.text).filter(isMeant).prefix(mostCommands)
    let text = commands.map(TranscriptText.command).joined()
    // The transcript shows the failures of the default schedule.
    let shown = commands.map { TranscriptText.command($0) + "  ...\n  [..]error: [..]\n  ...\n" }
      .joined()
    guard !commands.isEmpty, let file = Playable(path: "fuzz.transcript", bytes: Array(shown.utf8)),
      let script = try? ExploredScript(file, scenes: Scenes.all)
    else { return nil }
    return (script, text)
  }

  func check(_ bytes: [UInt8]) throws(Finding) {
    guard let (script, text) = Self.script(bytes) else { return }
    for strategy in [Strategy.random, .pct(changes: 2), .exhaustive] {
      let plan = Exploration.Plan(
        strategy,
        seeds: 0..<Self.runs,
        checkedEvery: 2,
        continuesAfterFailure: true
      )
      let search = Exploration(plan, script.play)
      try check(search.run(), of: script, text)
    }
  }

  private func check(
    _ findings: Findings,
    of script: ExploredScript,
    _ text: String
  ) throws(Finding) {
    if let schedule = findings.nondeterministicSchedule {
      throw Finding("'schedule \(schedule)' came to something else the second time in\n\(text)")
    }
    for group in findings.groups {
      let again = script.play(ReplayScheduler(group.schedule))
      let words = "'schedule \(group.schedule)' comes to \(again), and was \(group.outcome)"
      try require(isSame(again, group.outcome), "\(words) in\n\(text)")
      try replay(script.rehearsed(by: group.schedule).records)
    }
  }

  /// Returns whether two runs have the same behaviour.
  private func isSame(_ one: RunOutcome, _ other: RunOutcome) -> Bool {
    (one.counted, one.failure?.check, one.inconclusive) == (
      other.counted, other.failure?.check, other.inconclusive
    )
  }

  /// Whether a command is suitable. Commands about the schedule are not, because their output
  /// differs in a replay. Slow commands are not, because each is performed about 25 times: a pipe
  /// with endless retries takes 0.2 s.
  private static func isMeant(_ command: String) -> Bool {
    SessionTarget.isMeant(command)
      && !["schedule", "states", " MB", "retry 9223372036854775807"]
        .contains { command.contains($0) }
  }

  /// Checks that the transcript of a run passes.
  private func replay(_ records: [CommandRecord]) throws(Finding) {
    let text = records.map { record in
      TranscriptText.command(record.command) + record.lines.map { "  \($0)\n" }.joined()
    }.joined()
    try SessionTarget.replay(text)
  }
}
