import Exploring
import Rehearsal
import Script

/// What a search has found, for people.
struct ExplorationText {
  let file: String
  let script: ExploredScript
  let findings: Findings

  /// How many lines of a difference are shown.
  private static let mostLines = 8

  var text: String {
    var lines = [summary]
    let plain = script.passages(by: Schedule())
    for (index, group) in findings.groups.enumerated() {
      lines += ["", "\(index + 1). " + sentence(about: group)]
      lines += difference(between: plain, and: script.passages(by: group.schedule))
    }
    for failure in findings.failures { lines += self.lines(of: failure) }
    if let schedule = findings.unsteady {
      lines += [
        "",
        "error: a run by 'schedule \(schedule)' came to something else when it was done again",
        "hint: something in it is left to real chance: a random number, the real clock, the order of a dictionary",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var summary: String {
    let behaviours = Self.count(findings.groups.count, "behaviour")
    return
      "\(Self.count(findings.runs, "run")) of \(file.printable(atMost: 200)), \(share): \(behaviours)"
  }

  /// How much of all there is was tried.
  private var share: String {
    switch findings.end {
    case .complete: return "all schedules there are"
    case .failure where findings.runs == 1: return "the plain one alone"
    default: break
    }
    let tried = Self.count(findings.schedules, "different schedule")
    if let share = findings.share { return "\(tried), about \(Self.percent(share)) of all" }
    guard let guess = findings.guessedSchedules else { return tried }
    return "\(tried) of about \(Self.magnitude(guess))"
  }

  private func sentence(about group: Findings.Group) -> String {
    let runs = Self.count(group.count, "run")
    if group.schedule.isPlain { return runs + ", the plain one among them" }
    return runs + ", as by 'schedule \(group.schedule)'"
  }

  /// The first command that prints something else, and what.
  private func difference(
    between plain: [ExploredScript.Passage],
    and other: [ExploredScript.Passage]
  ) -> [String] {
    let others = other.drop { $0.command.hasPrefix("schedule ") }
    guard
      let place = zip(plain, others).enumerated().first(where: {
        $0.element.0.lines != $0.element.1.lines
      })
    else { return [] }
    let (before, after) = place.element
    let changes = after.lines.difference(from: before.lines)
    var lines = changes.removals.map { change in "   - " + Self.element(of: change) }
    lines += changes.insertions.map { change in "   + " + Self.element(of: change) }
    let more = lines.count - Self.mostLines
    return ["   > " + before.command.printable(atMost: 200)] + lines.prefix(Self.mostLines)
      + (more > 0 ? ["   … \(more) more"] : [])
  }

  private static func element(of change: CollectionDifference<String>.Change) -> String {
    switch change {
    case .insert(_, let line, _), .remove(_, let line, _): line
    }
  }

  private func lines(of failure: Findings.Failure) -> [String] {
    let runs = Self.count(failure.count, "run")
    let rule = failure.rule.printable(atMost: 200)
    var lines = ["", "error: \(rule) fails in \(runs), as in this transcript:", ""]
    for passage in script.passages(by: failure.schedule) {
      lines += TranscriptText.command(passage.command).split(separator: "\n").map(String.init)
      lines += passage.lines.map { "  " + $0 }
    }
    return lines
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  private static func percent(_ share: Double) -> String {
    share < 0.01 ? "less than 1 %" : "\(Int(share * 100)) %"
  }

  /// A number of which only the magnitude is known.
  private static func magnitude(_ number: Double) -> String {
    var exponent = 0
    var rest = number
    while rest >= 10 {
      rest /= 10
      exponent += 1
    }
    return exponent < 6 ? "\(Int(number.rounded()))" : "10^\(exponent)"
  }
}
