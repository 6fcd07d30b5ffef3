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

  /// Returns one run of commands by a schedule, with all other settings of this script.
  package func replay(_ commands: [String], by schedule: Schedule) -> ReplayedRun {
    ReplayedRun(schedule, with(commands).play)
  }

  /// Returns a copy with other commands, and another progress.
  package func with(_ commands: [String], progress: RunProgress) -> ExploredScript {
    var other = with(commands)
    other.setting.progress = progress
    return other
  }

  /// Returns a copy with the commands of a shorter script, which keep their lines.
  func with(_ short: ShortScript) -> ExploredScript {
    var other = with(short.commands)
    // Generated commands come last and have no lines.
    other.lines = short.places.prefix { lines.indices.contains($0) }.map { lines[$0] }
    return other
  }

  /// Returns the counterexample of each failure that a search has found, in the order of the
  /// failures.
  package func counterexamples(_ findings: Findings) -> [Counterexample] {
    findings.failures.map { failure in
      let written = failure.written(commands, perform: replay)
      let script = failure.outcome.generated == nil ? self : with(written.commands)
      return script.counterexample(
        written.schedule,
        failure.violation,
        isWritten: failure.outcome.generated == nil
      )
    }
  }

  /// Finds the shortest script and schedule with a violation, as `ScriptShrinking` does.
  ///
  /// - Parameters:
  ///   - schedule: a schedule of this script with the violation.
  ///   - violation: the violation to keep.
  ///   - isWritten: whether a user wrote all commands.
  /// - Returns: this script if no command can be removed.
  package func counterexample(
    _ schedule: Schedule,
    _ violation: Violation,
    isWritten: Bool = true
  ) -> Counterexample {
    var shrinking = ScriptShrinking(commands, schedule, violation, isWritten: isWritten) {
      replay($0, by: $1)
    }
    let short = shrinking.shrink()
    return Counterexample(
      script: with(short),
      schedule: short.schedule,
      violation: short.violation
    )
  }
}

extension Findings.Failure {
  /// Returns the run of the failure as a script, with the commands that it has generated. The
  /// default schedule is preferred if it fails in the same way.
  ///
  /// - Parameters:
  ///   - commands: the commands of the script, without the generated ones.
  ///   - perform: performs commands by a schedule.
  /// - Returns: all commands, and the schedule of their run.
  func written(
    _ commands: [String],
    perform: ([String], Schedule) -> ReplayedRun
  ) -> (commands: [String], schedule: Schedule) {
    guard let generated = outcome.generated else { return (commands, schedule) }
    let all = commands + generated.commands
    let rest = generated.schedule(of: schedule)
    let plain = perform(all, Schedule()).outcome.violation(of: check)
    return (all, plain.map(violation.isLike) == true ? Schedule() : rest)
  }

  /// The violation in the run by its schedule.
  package var violation: Violation {
    outcome.violation(of: check) ?? Violation(check, .text(""))
  }
}

/// Commands and a schedule with a violation.
struct ShortScript {
  let commands: [String]
  /// The index of each command in the script that was shrunk.
  let places: [Int]
  let schedule: Schedule
  let violation: Violation
  /// The runs of these commands that crash their process.
  var crashes: [Schedule: RunCrash] = [:]
}

/// Shrinks a script and its schedule: removes commands and words, then simplifies them. The script must keep the
/// violation, and must have it only by that schedule: a failure in the default schedule, because a needed command is
/// missing, is another failure. If the default schedule of a written script has the violation, the actual value stays, too.
///
/// Commands are removed first, then words of commands. Then the remaining words are simplified, and
/// at last two changes are made at once. As in delta debugging, each step is tried. If a duration is
/// simplified in all commands, it is simplified in the violation's command as well; its other words stay.
package struct ScriptShrinking {
  private var best: [String]
  /// The index of each command in the original script.
  private var places: [Int]
  var schedule: Schedule
  private var violation: Violation
  private let isInDefaultSchedule: Bool
  private let isWritten: Bool
  /// The actual value to keep; nil if it may change.
  private var value: String?
  /// Whether the default schedule has another violation, which is then allowed to stay.
  private var defaultRunFails = false
  /// The names that the script creates. If one is missing, that is another failure.
  private let names: Set<String>
  private let replay: ([String], Schedule) -> ReplayedRun
  private var runsLeft: Int
  /// Maximum number of choices and lines of a run that counts as one run; longer runs count as
  /// several.
  private static let shortRun = 100

  /// - Parameters:
  ///   - commands: the script.
  ///   - schedule: a schedule with the violation.
  ///   - violation: the violation to keep.
  ///   - isWritten: whether a user wrote all commands.
  ///   - runs: the maximum number of runs; shrinking the schedule takes some more.
  ///   - replay: returns one run of commands by a schedule. If a run may not return, the closure
  ///     must isolate it.
  package init(
    _ commands: [String],
    _ schedule: Schedule,
    _ violation: Violation,
    isWritten: Bool = true,
    runs: Int = 4_000,
    _ replay: @escaping ([String], Schedule) -> ReplayedRun
  ) {
    best = commands
    places = Array(commands.indices)
    self.schedule = schedule
    self.violation = violation
    isInDefaultSchedule = schedule.isDefault
    self.isWritten = isWritten
    names = Set(commands.compactMap(CommandText.name(madeBy:)))
    runsLeft = runs
    self.replay = replay
  }

  /// Returns the shortest script that was found.
  mutating func shrink() -> ShortScript {
    let plain = run(best, Schedule()).outcome
    if !isInDefaultSchedule {
      defaultRunFails = plain.failure != nil
    } else if isWritten {
      value = plain.violation(of: violation.check)?.actual.shown
    }
    if schedule.namesTasks { schedule = Schedule(run(best, schedule).choices) }
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
      places: places,
      schedule: schedule,
      violation: replay(commands, schedule).outcome.violation(of: violation.check) ?? violation
    )
  }

  /// - Parameters:
  ///   - commands: the commands.
  ///   - kept: the indices of their originals among the best commands so far; nil for all.
  ///   - effort: the amount of work to find a schedule.
  /// - Returns: whether the commands still have the violation; then they are the best so far.
  private mutating func attempt(
    _ commands: [String],
    keeping kept: [Int]? = nil,
    _ effort: Effort = .some
  ) -> Bool {
    guard runsLeft > 0, !commands.isEmpty else { return false }
    let plain = run(commands, Schedule())
    if isInDefaultSchedule {
      guard breaks(plain, commands) else { return false }
    } else {
      guard isAcceptable(plain.outcome), plain.outcome.inconclusive == nil,
        let found = findSchedule(commands, plain, effort)
      else { return false }
      schedule = found
      defaultRunFails = plain.outcome.failure != nil
    }
    best = commands
    if let kept { places = kept.map { places[$0] } }
    return true
  }

  /// Whether the default schedule lacks the violation, and has no other one that it did not have
  /// before.
  private func isAcceptable(_ plain: RunOutcome) -> Bool {
    plain.failure == nil || defaultRunFails && plain.violation(of: violation.check) == nil
  }

  mutating func run(_ commands: [String], _ schedule: Schedule) -> ReplayedRun {
    let run = replay(commands, schedule)
    runsLeft -= 1 + (run.choices.count + run.outcome.seen.count) / Self.shortRun
    return run
  }

  /// Whether a run of commands has the same violation, and not because the script lacks a name that
  /// it had.
  func breaks(_ run: ReplayedRun, _ commands: [String]) -> Bool {
    guard let found = run.outcome.violation(of: violation.check), found.isLike(violation),
      value == nil || found.actual.shown == value
    else { return false }
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
        let kept = Array(best.indices[..<start]) + best.indices[end...]
        _ = attempt(kept.map { best[$0] }, keeping: kept, .much)
        end = start
      }
      size /= 2
    }
  }

  /// Performs a scheduled command immediately, and removes the type of a member.
  private mutating func unwrap(_ place: Int) {
    if let command = CommandText.scheduledCommand(in: best[place]) { _ = attempt(place, [command]) }
    let words = words(place)
    guard words.count > 2, words[1].hasSuffix(":") else { return }
    _ = attempt(place, [words[0], String(words[1].dropLast())] + words[3...])
  }

  /// Removes words of a command.
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

  /// Simplifies a word in all commands, so that equal times stay equal.
  private mutating func simplify(_ word: String) {
    let (known, knownValue) = (violation, value)
    if checkedValues.contains(word) { return }
    for simpler in Self.simpler(than: word) {
      let replacing = { (text: String) in
        let words = CommandText.words(text)
        guard words.contains(word) else { return text }
        return words.map { $0 == word ? simpler : $0 }.joined(separator: " ")
      }
      violation = known.of(known.check.changing(replacing))
      value = knownValue.map(replacing)
      let simplified = best.map(replacing)
      if zip(best, simplified).allSatisfy(Self.keepsRanges), attempt(simplified) { return }
    }
    (violation, value) = (known, knownValue)
  }

  /// Simplifies the words of one command, one by one.
  private mutating func simplify(_ place: Int) {
    for index in words(place).indices.dropFirst() where !checkedValues.contains(words(place)[index])
    {
      for simpler in Self.simpler(than: words(place)[index]) {
        var words = words(place)
        words[index] = simpler
        if Self.keepsRanges(best[place], words.joined(separator: " ")), attempt(place, words) {
          break
        }
      }
    }
  }

  /// Replaces a moment between two instants by one of them.
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

  /// The values in the check that fails. They stay, so that a reader finds them in the script.
  private var checkedValues: Set<String> {
    switch violation.check {
    case .command(let text, _), .runAssertion(let text, _):
      Set(CommandText.words(text).filter { CommandText.duration($0) == nil })
    default: []
    }
  }

  /// Maximum number of pairs of commands.
  private static let mostPairsOfCommands = 24

  /// Removes two commands that share a word, such as a `load` and its `retry`.
  private mutating func removeTwo() {
    let about = best.map { Set(CommandText.words($0).dropFirst()) }
    var pairs = 0
    for first in best.indices {
      for second in best.indices.dropFirst(first + 1)
      where !about[first].isDisjoint(with: about[second]) {
        guard pairs < Self.mostPairsOfCommands else { return }
        pairs += 1
        let kept = best.indices.filter { $0 != first && $0 != second }
        if attempt(kept.map { best[$0] }, keeping: kept) { return }
      }
    }
  }

  /// Maximum number of pairs of changes.
  private static let mostPairs = 400

  /// Makes two changes at once: simpler times that are possible only together, or the removal of a
  /// command that only a time needs.
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
        let kept = commands.indices.filter { commands[$0] != nil }
        if attempt(commands.compactMap(\.self), keeping: kept, .little) { return }
      }
    }
  }

  /// The possible changes of each command: its removal, or a simpler time.
  private var changes: [(place: Int, command: String?)] {
    var changes: [(place: Int, command: String?)] = []
    for place in best.indices {
      let words = words(place)
      for (index, word) in words.enumerated() where CommandText.duration(word) != nil {
        for simpler in Self.simpler(than: word) {
          var words = words
          words[index] = simpler
          let command = words.joined(separator: " ")
          if Self.keepsRanges(best[place], command) { changes.append((place, command)) }
        }
      }
    }
    return changes + best.indices.map { ($0, nil) }
  }

  /// All distinct words, in the order of their first use.
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

  /// Returns simpler replacements for a word, the simplest first.
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

  /// Whether each range of times stays within the range of the original command. Both have the same number of words.
  private static func keepsRanges(_ command: String, _ simplified: String) -> Bool {
    let (old, new) = (CommandText.words(command), CommandText.words(simplified))
    guard old.count == new.count else { return false }
    return old.indices.dropFirst().dropLast().allSatisfy { place in
      guard old[place] == "to" || old[place] == "and",
        let start = CommandText.duration(old[place - 1]),
        let end = CommandText.duration(old[place + 1]),
        let newStart = CommandText.duration(new[place - 1]),
        let newEnd = CommandText.duration(new[place + 1])
      else { return true }
      return start <= newStart && newEnd <= end
    }
  }

  /// Times from the easiest to read; longer ones come first.
  private static let times = ["1s", "2s", "3s", "100ms", "10ms", "1ms"]

  private static func isSimpler(_ word: String, than other: String) -> Bool {
    (word.utf8.count, word) < (other.utf8.count, other)
  }
}
