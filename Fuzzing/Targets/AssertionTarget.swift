import Exploring
import Rehearsal

/// Sessions with many failures, some of them also in the default schedule. A search must report
/// exactly the errors that a run prints and the default schedule does not print.
struct AssertionTarget: FuzzTarget {
  let name = "assertions"

  var words: [String] {
    PruningTarget().words + [
      "\nexpect ", "\nnever ", "\nalways ", "\neventually ", " within 100ms", " error", " loaded",
    ]
  }

  private static let runs = UInt64(16)

  func compose(_ random: inout Randomness) -> [UInt8]? {
    Array(MeetingScript.composeAsserting(&random).utf8)
  }

  func check(_ bytes: [UInt8]) throws(Finding) {
    guard let (script, text) = ExploringTarget.script(bytes) else { return }
    // Here, the text of a scheduled command identifies its failures. A search also distinguishes
    // equal commands.
    let scheduled = text.split(separator: "\n").filter { $0.contains(" expect ") }
    guard Set(scheduled).count == scheduled.count else { return }
    let meant = Set(Self.complaints(of: script, by: Schedule())).union(
      script.ignored.map { .runAssertion($0.rule) }
    )
    let baseline = script.outcome(by: Schedule())
    for strategy in [Strategy.random, .exhaustive] {
      let plan = Exploration.Plan(
        strategy,
        seeds: 0..<Self.runs,
        checkedEvery: nil,
        continuesAfterFailure: true
      )
      let search = Exploration(plan, script.play)
      for group in search.run().groups {
        let news = Self.complaints(of: script, by: group.schedule).filter { !meant.contains($0) }
        let words = "'schedule \(group.schedule)' "
        let failure = group.outcome.failures.first { baseline.violation(of: $0.check) == nil }
        if let failure {
          // Violations of built-in checks and of open assertions are not printed by the run itself.
          let isPrinted =
            switch failure.check {
            case .command, .survives: true
            default: false
            }
          try require(
            !isPrinted || !news.isEmpty,
            "\(words)fails by nothing, \(failure), in\n\(text)"
          )
        } else {
          try require(news.isEmpty, "\(words)does not fail by \(news) in\n\(text)")
        }
      }
    }
  }

  /// The identity of an error in a run.
  private enum Complaint: Hashable {
    case runAssertion(String)
    /// A scheduled command, and the kind of its failure.
    case later(String, way: Substring)
    /// The command with that index, and the kind of its failure.
    case command(Int, way: Substring)
  }

  private static func complaints(
    of script: ExploredScript,
    by schedule: Schedule
  ) -> [Complaint] {
    script.rehearsed(by: schedule).records.filter { !$0.command.hasPrefix("schedule ") }
      .enumerated().flatMap { place, record in
        record.lines.indices.filter { record.lines[$0].hasPrefix("error: ") }
          .map { complaint(at: $0, of: record.lines, place) }
      }
  }

  private static func complaint(at index: Int, of lines: [String], _ place: Int) -> Complaint {
    let parts = lines[index].split(separator: "'")
    if parts.count > 2, parts[0] == "error: ", parts[2].hasPrefix(" is violated at ") {
      return .runAssertion("run assertion '\(parts[1])'")
    }
    let source =
      index + 1 < lines.count ? lines[index + 1].trimmingPrefix(while: { $0 == " " }) : ""
    let isLater = ["in ", "at ", "between "].contains { source.hasPrefix($0) }
    let way = way(of: lines[index])
    return isLater ? .later(String(source), way: way) : .command(place, way: way)
  }

  /// Returns the kind of a failure: for `expect` the state that was found, otherwise the words
  /// before the first number.
  private static func way(of line: String) -> Substring {
    guard line.hasPrefix("error: expected ") else { return line.prefix { !$0.isNumber } }
    let found = ", but it is "
    return line.ranges(of: found).last.map { line[$0.upperBound...].prefix(while: \.isLetter) }
      ?? ""
  }
}
