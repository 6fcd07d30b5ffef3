import Exploring
import Harness
import Rehearsal

/// What a worker of a search answers.
enum SearchAnswer {
  /// What was found, and where a search through all schedules has come to.
  case found(Findings, TreePlace)
  /// A run that was done by a schedule.
  case replayed(ReplayedRun)
  /// The script cannot be explored.
  case refused(ExploredScript.Refusal)

  /// The answer as it crosses a pipe; `told` are the groups that were told in full before, nil for none to be told so.
  func bytes(told: inout Set<UInt64>?) -> [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .found(let findings, let place):
      writer.write(0)
      writer.write(findings, told: &told)
      writer.write(place)
    case .replayed(let run):
      writer.write(1)
      writer.write(run.choices) { $0.write($1) }
      writer.write(run.counts) { $0.write($1) }
      writer.write(run.outcome)
    case .refused(let refusal):
      writer.write(2)
      writer.write(refusal.command)
      writer.write(refusal.lines) { $0.write($1) }
    }
    return writer.bytes
  }

  /// - Parameters:
  ///   - bytes: what a worker wrote.
  ///   - outcomes: what groups that were told in full before came to; those that are told now are added.
  init?(_ bytes: [UInt8], _ outcomes: inout [UInt64: RunOutcome]) {
    var reader = ByteReader(bytes[...])
    switch reader.number() {
    case 0:
      guard let findings = reader.findings(&outcomes), let place = reader.treePlace() else {
        return nil
      }
      self = .found(findings, place)
    case 1:
      guard let choices = reader.list({ $0.number() }), let counts = reader.list({ $0.number() }),
        let outcome = reader.outcome()
      else { return nil }
      self = .replayed(ReplayedRun(choices: choices, counts: counts, outcome: outcome))
    case 2:
      guard let command = reader.text(), let lines = reader.list({ $0.text() }) else { return nil }
      self = .refused(.init(command: command, lines: lines))
    default: return nil
    }
  }
}
