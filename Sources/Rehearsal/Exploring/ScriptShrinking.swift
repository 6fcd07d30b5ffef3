package import Exploring
import Script

extension ExploredScript {
  /// A script and a schedule that violate a check, both as short as possible.
  package struct Counterexample: Sendable {
    package let script: ExploredScript
    package let schedule: Schedule
    package let violation: Violation

    package init(script: ExploredScript, schedule: Schedule, violation: Violation) {
      self.script = script
      self.schedule = schedule
      self.violation = violation
    }
  }

  /// One run of commands by a schedule, with all else as in this script.
  package func replay(_ commands: [String], by schedule: Schedule) -> ReplayedRun {
    ReplayedRun(schedule, with(commands).play)
  }

  /// Returns the same with other commands, and another progress.
  package func with(_ commands: [String], progress: RunProgress) -> ExploredScript {
    var other = with(commands)
    other.setting.progress = progress
    return other
  }

  /// What is shown of each failure that a search has found, in their order.
  package func counterexamples(_ findings: Findings) -> [Counterexample] {
    findings.failures.map { counterexample($0.schedule, $0.violation) }
  }

  /// Finds the shortest script and schedule with a violation, as `ScriptShrinking` does.
  ///
  /// - Parameters:
  ///   - schedule: a schedule of this script with the violation.
  ///   - violation: the violation to keep.
  /// - Returns: this script if no command can be removed.
  package func counterexample(_ schedule: Schedule, _ violation: Violation) -> Counterexample {
    var shrinking = ScriptShrinking(commands, schedule, violation) { replay($0, by: $1) }
    let short = shrinking.shrink()
    return Counterexample(
      script: with(short.commands),
      schedule: short.schedule,
      violation: short.violation
    )
  }
}

extension Findings.Failure {
  /// The violation in the run by its schedule.
  package var violation: Violation {
    outcome.violation(of: check) ?? Violation(check, .text(""))
  }
}

/// Commands and a schedule with a violation.
struct ShortScript {
  let commands: [String]
  let schedule: Schedule
  let violation: Violation
  /// The runs of these commands that end their process.
  var crashes: [Schedule: RunCrash] = [:]
}

/// Makes a script and its schedule as short as can be, so that the script still breaks the rule by it, and still
/// does so only by it: what fails in plain order, too, because something that it needs is gone, is another failure.
///
/// Commands go first, then words of them, then what is left is made smaller, and at last two of these at once; as in
/// delta debugging, each step is tried. What is made smaller in all commands is so in the rule, where it is one of them.
package struct ScriptShrinking {
  private var best: [String]
  var schedule: Schedule
  private var violation: Violation
  private let isInDefaultSchedule: Bool
  /// Whether the plain run breaks another rule, which it may do further on.
  private var defaultRunFails = false
  /// What the script makes: that it is not there would be another failure.
  private let names: Set<String>
  private let replay: ([String], Schedule) -> ReplayedRun
  private var runsLeft: Int
  /// A run with at most this many decisions and lines counts as one; longer runs count as several.
  private static let shortRun = 100

  /// - Parameters:
  ///   - commands: the script.
  ///   - schedule: a schedule by which it breaks the rule.
  ///   - violation: the violation to keep.
  ///   - runs: how many runs it may take; the schedule alone takes some more.
  ///   - replay: one run of commands by a schedule; who is not sure that it comes back does it elsewhere.
  package init(
    _ commands: [String],
    _ schedule: Schedule,
    _ violation: Violation,
    runs: Int = 4_000,
    _ replay: @escaping ([String], Schedule) -> ReplayedRun
  ) {
    best = commands
    self.schedule = schedule
    self.violation = violation
    isInDefaultSchedule = schedule.isDefault
    names = Set(commands.compactMap(CommandText.name(madeBy:)))
    runsLeft = runs
    self.replay = replay
  }

  /// The shortest that was found.
  mutating func shrink() -> ShortScript {
    if !isInDefaultSchedule { defaultRunFails = run(best, Schedule()).outcome.failure != nil }
    var before: [String]
    repeat {
      before = best
      removeCommands()
      for place in best.indices {
        unwrap(place)
        shorten(place)
      }
      for word in words { simplify(word) }
      for place in best.indices {
        simplify(place)
        settleOnMoment(place)
      }
      if best == before { removeTwo() }
      if best == before { changeTwo() }
    } while best != before && runsLeft > 0
    let (commands, replay) = (best, replay)
    schedule = schedule.shrunk(violating: violation.check) { replay(commands, $0) }
    return ShortScript(
      commands: commands,
      schedule: schedule,
      violation: replay(commands, schedule).outcome.violation(of: violation.check) ?? violation
    )
  }

  /// - Returns: whether the rule is still broken so; then that is the best.
  private mutating func attempt(_ commands: [String], _ effort: Effort = .some) -> Bool {
    guard runsLeft > 0, !commands.isEmpty else { return false }
    let plain = run(commands, Schedule())
    if isInDefaultSchedule {
      guard breaks(plain, commands) else { return false }
    } else {
      guard isOtherwiseRight(plain.outcome), plain.outcome.inconclusive == nil,
        let found = findSchedule(commands, plain, effort)
      else { return false }
      schedule = found
      defaultRunFails = plain.outcome.failure != nil
    }
    best = commands
    return true
  }

  /// Whether the plain run does not break the rule, nor another one where it did not break one.
  private func isOtherwiseRight(_ plain: RunOutcome) -> Bool {
    plain.failure == nil || defaultRunFails && plain.violation(of: violation.check) == nil
  }

  mutating func run(_ commands: [String], _ schedule: Schedule) -> ReplayedRun {
    let run = replay(commands, schedule)
    runsLeft -= 1 + (run.choices.count + run.outcome.seen.count) / Self.shortRun
    return run
  }

  /// Whether a run of commands has the same violation, and not because the script lacks a name that it had.
  func breaks(_ run: ReplayedRun, _ commands: [String]) -> Bool {
    guard let found = run.outcome.violation(of: violation.check), found.isLike(violation) else {
      return false
    }
    guard case .problem(let problem) = found.actual, let name = problem.unknownName else {
      return true
    }
    return !names.contains(name) || commands.contains { CommandText.name(madeBy: $0) == name }
  }

  private mutating func removeCommands() {
    var size = max(1, best.count / 2)
    while size >= 1 {
      var end = best.count
      while end > 0 {
        let start = max(0, end - size)
        var commands = best
        commands.removeSubrange(start..<end)
        _ = attempt(commands, .much)
        end = start
      }
      size /= 2
    }
  }

  /// Performs a command now that was to be performed at some time, and leaves the type of a member away.
  private mutating func unwrap(_ place: Int) {
    if let command = CommandText.scheduledCommand(in: best[place]) { _ = attempt(place, [command]) }
    let words = words(place)
    guard words.count > 2, words[1].hasSuffix(":") else { return }
    _ = attempt(place, [words[0], String(words[1].dropLast())] + words[3...])
  }

  /// Takes words of a command away.
  private mutating func shorten(_ place: Int) {
    for count in [4, 3, 2, 1] {
      var start = 1
      while start + count <= words(place).count {
        var words = words(place)
        words.removeSubrange(start..<start + count)
        if !attempt(place, words) { start += 1 }
      }
    }
  }

  /// Makes a word smaller wherever it stands: times that were the same stay the same.
  private mutating func simplify(_ word: String) {
    let known = violation
    for simpler in Self.simpler(than: word) {
      let replacing = { (text: String) in
        let words = CommandText.words(text)
        guard words.contains(word) else { return text }
        return words.map { $0 == word ? simpler : $0 }.joined(separator: " ")
      }
      violation = known.of(known.check.changing(replacing))
      if attempt(best.map(replacing)) { return }
    }
    violation = known
  }

  /// Makes the words of a command smaller, each for itself.
  private mutating func simplify(_ place: Int) {
    for index in words(place).indices.dropFirst() {
      for simpler in Self.simpler(than: words(place)[index]) {
        var words = words(place)
        words[index] = simpler
        if attempt(place, words) { break }
      }
    }
  }

  /// Makes of a moment between two instants one of them.
  private mutating func settleOnMoment(_ place: Int) {
    let words = words(place)
    guard CommandText.definition(of: best[place]) === ShellCommand.between.definition,
      words.count > 4, words[2] == "and"
    else { return }
    let verb = ShellCommand.at.definition.verb
    for instant in [words[1], words[3]] where attempt(place, [verb, instant] + words[4...]) {
      return
    }
  }

  /// So many pairs of commands are tried.
  private static let mostPairsOfCommands = 24

  /// Takes two commands away that are about the same, as a load and what tries it again.
  private mutating func removeTwo() {
    let about = best.map { Set(CommandText.words($0).dropFirst()) }
    var pairs = 0
    for first in best.indices {
      for second in best.indices.dropFirst(first + 1)
      where !about[first].isDisjoint(with: about[second]) {
        guard pairs < Self.mostPairsOfCommands else { return }
        pairs += 1
        let commands = best.indices.filter { $0 != first && $0 != second }.map { best[$0] }
        if attempt(commands) { return }
      }
    }
  }

  /// So many pairs of changes are tried.
  private static let mostPairs = 400

  /// Makes two changes at once: of times that only together could be simpler, or of a command that only a time keeps.
  private mutating func changeTwo() {
    let changes = changes
    var pairs = 0
    for (place, first) in changes.enumerated() {
      for second in changes[(place + 1)...] where second.place != first.place {
        guard pairs < Self.mostPairs else { return }
        pairs += 1
        var commands = best.map(Optional.some)
        commands[first.place] = first.command
        commands[second.place] = second.command
        if attempt(commands.compactMap(\.self), .little) { return }
      }
    }
  }

  /// What could become of each command: nothing, or the same with a simpler time.
  private var changes: [(place: Int, command: String?)] {
    var changes: [(place: Int, command: String?)] = []
    for place in best.indices {
      let words = words(place)
      for (index, word) in words.enumerated() where CommandText.duration(word) != nil {
        for simpler in Self.simpler(than: word) {
          var words = words
          words[index] = simpler
          changes.append((place, words.joined(separator: " ")))
        }
      }
    }
    return changes + best.indices.map { ($0, nil) }
  }

  /// All words, each once, in the order in which they are met.
  private var words: [String] {
    var seen: Set<String> = []
    return best.flatMap(CommandText.words).filter { seen.insert($0).inserted }
  }

  private func words(_ place: Int) -> [String] { CommandText.words(best[place]) }

  private mutating func attempt(_ place: Int, _ words: [String]) -> Bool {
    var commands = best
    commands[place] = words.joined(separator: " ")
    return attempt(commands)
  }

  /// What a word could be instead, the simplest first.
  private static func simpler(than word: String) -> [String] {
    if CommandText.duration(word) != nil { return Array(times.prefix { $0 != word }) }
    let candidates =
      switch word.utf8.first {
      case UInt8(ascii: "\""): ["\"a\"", "\"b\"", "\"c\""]
      case UInt8(ascii: "{"), UInt8(ascii: "["): ["1", "[]", "{}"]
      default:
        word.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
          ? ["1", "2", "3"] : []
      }
    return candidates.filter { isSimpler($0, than: word) }
  }

  /// Times in the order in which somebody reads them easily, longer ones among them.
  private static let times = ["1s", "2s", "3s", "100ms", "10ms", "1ms"]

  private static func isSimpler(_ word: String, than other: String) -> Bool {
    (word.utf8.count, word) < (other.utf8.count, other)
  }
}
