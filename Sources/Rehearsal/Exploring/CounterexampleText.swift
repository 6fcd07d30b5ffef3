import Exploring
import Harness
import RehearsalBase
import Script
import Timelines

/// A counterexample as a transcript that can be replayed. Comments show pictures of it and of the
/// most similar run that passes.
package struct CounterexampleText {
  private let file: String
  private let width: Int
  /// Whether tables take the place of timelines.
  private let showsTable: Bool

  /// Minimum number of columns for two pictures next to each other.
  private static let leastWidthForTwo = 100

  /// - Parameters:
  ///   - file: the name of the explored file.
  ///   - width: the maximum number of columns of a picture.
  ///   - showsTable: whether tables of the runs' steps take the place of timelines.
  package init(file: String, width: Int, showsTable: Bool = false) {
    self.file = file
    self.width = width
    self.showsTable = showsTable
  }

  /// Returns the tables of a counterexample and of the nearest run that passes.
  func tables(of example: ExploredScript.Counterexample) -> RunTables {
    tables(of: example, nearest: nearestGood(to: example))
  }

  private func tables(
    of example: ExploredScript.Counterexample,
    nearest: Schedule?
  ) -> RunTables {
    func table(_ title: String, _ schedule: Schedule) -> RunTable {
      let run = example.script.traced(by: schedule)
      return RunTable(
        title: title,
        run.events,
        labels: run.labels,
        alternatives: run.alternativesOfEvents
      )
    }
    return RunTables(
      failing: table(
        example.schedule.isDefault
          ? "This run, in the default schedule:" : "This run, 'schedule \(example.schedule)':",
        example.schedule
      ),
      passing: nearest.map { table(Self.words(for: $0), $0) }
    )
  }

  /// Returns a transcript for a file, with its origin as comments.
  func transcript(
    of example: ExploredScript.Counterexample,
    _ explanation: FailureExplanation
  ) -> String {
    let from = "# Found by exploring \(file.printable(atMost: 200)):"
    let rule = "# \(example.violation.rule.printable(atMost: 200))"
    let why = explanation.lines.map { "# \($0.printable(atMost: 1_000))" }
    return ([from, rule] + why + [""] + lines(of: example)).joined(separator: "\n") + "\n"
  }

  /// Returns a file name for a violation, without extension: `expect-a-loaded-1`.
  package static func fileName(of rule: String) -> String {
    let words = rule.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.joined(separator: "-").prefix(60)
    return name.isEmpty ? "counterexample" : String(name)
  }

  /// The transcript, without line ends.
  func lines(of example: ExploredScript.Counterexample) -> [String] {
    let bad = example.script.rehearsed(by: example.schedule, violating: example.violation.check)
    var lines: [String] = []
    for record in bad.records {
      lines += TranscriptText.command(record.command).split(separator: "\n").map(String.init)
      lines += record.lines.map { String(TranscriptText.output($0).dropLast()) }
      lines += record.notes.map { "# " + $0 }
    }
    if bad.violation == nil {
      lines.append("# \(example.violation.what.printable(atMost: 200))")
      // A violation by a member does not know the task that waits.
      let details = example.violation.details
      lines += (details.isEmpty ? bad.waits : details).map { "# " + $0.printable(atMost: 400) }
      if !bad.violates(example.violation.check) {
        lines.append("# Nondeterministic: it did not fail when it ran again.")
      }
    }
    let nearest = nearestGood(to: example)
    let pictures =
      showsTable
      ? tables(of: example, nearest: nearest).lines(width: width - 2)
      : pictures(
        nearest.map { (Self.words(for: $0), example.script.rehearsed(by: $0)) },
        bad
      )
    return lines + [""] + pictures.map { $0.isEmpty ? "#" : "# " + $0 }
      + Self.lines(of: example.script.setting.fixtures)
  }

  /// Returns the fixtures that end the transcript.
  private static func lines(of fixtures: Fixtures) -> [String] {
    fixtures.names.flatMap { name in
      let text = String(decoding: fixtures.bytes(named: name) ?? [], as: UTF8.self)
      return ["", "-- \(name) --"]
        + text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasSuffix("\r") ? String($0.dropLast()) : String($0) }.dropLast(
          text.hasSuffix("\n") ? 1 : 0
        )
    }
  }

  /// Returns the files that the transcript reads from other folders. A replay in `folder` would not
  /// find them.
  package static func filesElsewhere(
    of example: ExploredScript.Counterexample,
    keptIn folder: String
  ) -> [String] {
    guard Folder.realPath(folder) != Folder.realPath(example.script.setting.folder) else {
      return []
    }
    return example.script.rehearsed(by: example.schedule).readings
  }

  private static func words(for schedule: Schedule) -> String {
    schedule.isDefault
      ? "The nearest run that passes, in the default schedule:"
      : "The nearest run that passes, 'schedule \(schedule)':"
  }

  /// Returns the schedule of a run that passes, with the longest common beginning of choices.
  private func nearestGood(to example: ExploredScript.Counterexample) -> Schedule? {
    example.schedule.nearest { example.script.outcome(by: $0).failure == nil }
  }

  private func pictures(
    _ good: (words: String, run: ScriptRun)?,
    _ bad: ScriptRun
  ) -> [String] {
    let columns = width - 2
    let words = bad.end.map { "This run, before '\($0.printable(atMost: 40))':" } ?? "This run:"
    guard let good else { return [words] + picture(bad, columns) }
    guard width >= Self.leastWidthForTwo else {
      return [good.words] + picture(good.run, columns) + ["", words] + picture(bad, columns)
    }
    let half = (columns - 3) / 2
    let left = [good.words] + picture(good.run, half)
    let right = [words] + picture(bad, half)
    return (0..<max(left.count, right.count)).map { index in
      let first = index < left.count ? left[index] : ""
      guard index < right.count, !right[index].isEmpty else { return first }
      return first + String(repeating: " ", count: half + 3 - first.widthInColumns) + right[index]
    }
  }

  private func picture(_ run: ScriptRun, _ columns: Int) -> [String] {
    TextTimeline(width: columns).lines(of: run.recording)
  }
}
