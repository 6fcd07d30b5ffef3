package import Exploring
package import RehearsalBase
import Script
import Staging

/// The text of a search for people: its summary, behaviours, notes and limits.
package struct ExplorationText {
  private let script: ExploredScript
  private let findings: Findings
  private let pictures: CounterexampleText
  private let wording: ExplorationWording

  /// Maximum number of lines of a difference.
  private static let mostLines = 8

  /// Default for the maximum number of behaviours.
  package static let usualBehaviours = 10

  /// The options that hints refer to.
  package struct Words: Sendable {
    /// Disables the built-in check that follows.
    let disable: String
    /// Sets the number of behaviours.
    let behaviours: String
    /// Chooses a strategy that can reach every schedule.
    let mixed: String

    /// The commands of the shell.
    package static let ofShell = Words(
      disable: "explore disable",
      behaviours: "explore behaviours",
      mixed: "explore mixed"
    )
    /// The options of the program.
    package static let ofProgram = Words(
      disable: "--disable",
      behaviours: "--behaviours",
      mixed: "--strategy mixed"
    )
  }

  package init(_ script: ExploredScript, _ findings: Findings, _ wording: ExplorationWording) {
    self.script = script
    self.findings = findings
    self.wording = wording
    pictures = CounterexampleText(
      file: wording.name,
      width: wording.width,
      showsTable: wording.showsTable
    )
  }

  /// Returns the lines of the text. The counterexamples belong to the failures, in their order.
  package func lines(
    _ counterexamples: [(ExploredScript.Counterexample, FailureExplanation)]
  ) -> [OutputLine] {
    var lines = overview.map { OutputLine($0) }
    for (failure, (example, explanation)) in zip(findings.failures, counterexamples) {
      let what = failure.check.headline("run".counted(failure.count))
      let baseline =
        example.schedule.isDefault && failure.outcome.generated == nil
        ? "; it fails in the default schedule too" : ""
      lines += [.empty, .error("\(what)\(baseline), as in the transcript below")]
      lines += explanation.lines.map { OutputLine($0.printable(atMost: 1_000)) } + [.empty]
      lines += pictures.lines(of: example).map { OutputLine($0) }
      if case .builtIn(let check) = failure.check {
        lines += [
          .empty, .hint("if this is intended, use '\(wording.words.disable) \(check.rawValue)'"),
        ]
      }
    }
    lines += changedFiles + nondeterminism + missedSometimes
    if findings.isInconclusive {
      lines += [.empty, .error("every run is inconclusive, so the search shows nothing")]
    }
    if findings.generatedNothing {
      lines += [
        .empty,
        .error("no run performed a generated command except 'wait', so the search shows nothing"),
        .hint("begin with a session that accepts the commands, or relax 'when:' in scene.generate"),
      ]
    }
    return lines
  }

  /// The lines about the whole search and its behaviours.
  private var overview: [String] {
    var lines =
      [summary] + held + wording.notes + estimate + disabled + unasked + unused + unmatched
      + outside + unvaried
      + [missed].compactMap(\.self) + lacking
      + [inconclusiveNote, unkept, unkeptFailures].compactMap(\.self)
    lines += script.ignored.map { violation in
      let check =
        if case .builtIn(let check) = violation.check { "'\(check.rawValue)': " } else { "" }
      let text = violation.ignoredText.printable(atMost: 400)
      return "ignored, because the default schedule fails too: \(check)\(text)"
    }
    // Each generated session has another output.
    guard script.grammar == nil else { return lines + generation }
    let plain = script.rehearsed(by: Schedule())
    let groups = findings.groupsByWeight
    for (index, group) in groups.prefix(wording.mostBehaviours).enumerated() {
      lines += ["", "\(index + 1). " + sentence(about: group)]
      let run = script.rehearsed(by: group.schedule, toBeReplayed: false)
      lines += difference(between: plain, and: run)
    }
    lines += sentence(aboutHidden: groups.dropFirst(wording.mostBehaviours))
    return lines
  }

  /// Returns the lines about `schedule` commands that the search ignores.
  package static func leftOut(_ schedules: [String]) -> [String] {
    guard let first = schedules.first else { return [] }
    let more = schedules.count > 1 ? " and \(schedules.count - 1) more" : ""
    return [
      "left out, because the search chooses the order: '\(first.printable(atMost: 80))'\(more)"
    ]
  }

  /// Returns the lines about the notes of the default schedule.
  package static func notes(ofDefault findings: Findings) -> [String] {
    findings.notesOfDefault.map { "in the default schedule, \($0)" }
  }

  /// Returns the lines about limits that depend on new behaviours.
  ///
  /// - Parameters:
  ///   - findings: the findings of the search.
  ///   - limit: the limit of the probability of a new behaviour; nil if there is none.
  ///   - stopAfter: the limit of the number of runs without a new behaviour; nil if there is none.
  /// - Returns: the lines; empty if there is no limit.
  package static func limits(
    of findings: Findings,
    until limit: Double?,
    stopAfter: Int?
  ) -> [String] {
    let isUnknown = findings.areBehavioursEstimated && !findings.isEndedByFailure
    let runs =
      isUnknown && stopAfter != nil
      ? [
        "the limit of runs without a new behaviour has no effect, because there are too many behaviours to recognise new ones"
      ] : []
    guard let limit else { return runs }
    let text = SharePercent.rounded(limit)
    return switch findings.end {
    case .newBehaviourUnlikely:
      [
        "stopped, because one more random run shows a new behaviour with a probability of at most \(text)"
      ]
    case .budget, .nothingNew, .stopped:
      runs + [
        isUnknown
          ? "the limit of \(text) for a new behaviour has no effect, because there are too many behaviours to recognise new ones"
          : "the limit of \(text) for a new behaviour was not reached; more runs may reach it"
      ]
    case .partial:
      [
        "the limit of \(text) for a new behaviour was not reached: the systematic runs ended the search; a random strategy, such as 'mixed', tries more values"
      ]
    case .complete, .failure, .nondeterministic: []
    }
  }

  /// The line about the probability of a new behaviour, if there were random runs and no failure ended the search. Only
  /// the merged parts of a search have one.
  private var estimate: [String] {
    guard !wording.isPart, !findings.isEndedByFailure, let estimate = findings.newBehaviour else {
      return []
    }
    let (about, most) = (estimate.probability, estimate.upperBound)
    return [
      "a new behaviour in one more random run: probability about \(SharePercent.rounded(about)), at most \(SharePercent.roundedUp(most)) with 95 % confidence"
    ]
  }

  private var changedFiles: [OutputLine] {
    if findings.changedFiles.isEmpty { return [] }
    let errors = findings.changedFiles.map { path in
      OutputLine.error("\(FailureText.quoted(path)) has changed since the search began")
    }
    let hint = OutputLine.hint("its runs may have performed different commands; search again")
    return [.empty] + errors + [hint]
  }

  private var nondeterminism: [OutputLine] {
    guard let schedule = findings.nondeterministicSchedule else { return [] }
    let name = "'schedule \(schedule.isDefault ? "default" : schedule.description)'"
    let hint = OutputLine.hint(
      "look for state that outlives a run, another thread, memory addresses, or a file that changes"
    )
    if let failure = script.crashes[schedule]?.outcome.failure {
      let rule = failure.rule.printable(atMost: 200)
      return [
        .empty,
        .error("nondeterministic: \(name) crashed (\(rule)), and did not crash when it ran again"),
        hint,
      ]
    }
    let place = script.divergence(by: schedule).map { OutputLine.note($0.printable(atMost: 400)) }
    let error = OutputLine.error("nondeterministic: \(name) gave another result when it ran again")
    return [.empty, error] + [place, hint].compactMap { $0 }
  }

  /// The lines about commands that no run has generated.
  private var generation: [String] {
    let conditions = findings.openChoices.unneeded(.condition).map {
      "never generated, because its condition never held: \($0.text); check 'when:' in its code"
    }
    // A run that crashes its process does not say which commands it has generated.
    let performed = findings.failures.flatMap { $0.outcome.generated?.commands ?? [] }
    let names = findings.openChoices.unneeded(.command).map(\.text)
      .filter { name in
        !conditions.contains { $0.contains("'\(name)'") }
          && !performed.contains { $0 == name || $0.hasPrefix(name + " ") }
      }
    guard !names.isEmpty else { return conditions }
    let more = names.count > Self.mostNames ? " and \(names.count - Self.mostNames) more" : ""
    let list = names.prefix(Self.mostNames)
    let shown = list.joined(separator: list.contains { $0.contains(", ") } ? "; " : ", ")
    return conditions + ["never generated, or always refused: \(shown)\(more)"]
  }

  /// Maximum number of names of commands that were never generated.
  private static let mostNames = 10

  private var summary: String {
    let behaviours = findings.countedBehaviours
    if script.grammar != nil {
      let name = wording.name.printable(atMost: 200)
      guard let first = findings.groups.first, first.isOfDefaultSchedule else {
        return "\("generated session".counted(findings.runs)) after \(name): \(behaviours)"
      }
      let sessions = "generated session".counted(findings.runs - 1)
      return "\(sessions) after \(name), and the default schedule: \(behaviours)"
    }
    return
      "\("run".counted(findings.runs)) of \(wording.name.printable(atMost: 200)), \(share): \(behaviours)"
  }

  /// The lines about the `sometimes` assertions that held in a run, and about the others if they are not errors.
  private var held: [String] {
    findings.sometimes.filter { $0.heldRuns > 0 || !failsSometimes }.map { assertion in
      let end =
        assertion.heldRuns > 0
        ? "" : wording.isPart ? "; the merged report checks it" : "; the search ended early"
      return sentence(about: assertion) + end
    }
  }

  /// Whether it is an error if a `sometimes` held in no run. Other parts of a search, or the runs after a failure,
  /// may reach it.
  private var failsSometimes: Bool { !wording.isPart && !findings.isEndedByFailure }

  /// The errors about the `sometimes` assertions that held in no run.
  private var missedSometimes: [OutputLine] {
    guard failsSometimes else { return [] }
    var lines = findings.neverHeld.map { OutputLine.error(sentence(about: $0) + stopped) }
    if findings.hasUnkeptSometimes {
      lines.append(.error("there are too many 'sometimes' assertions, and some are not checked"))
    }
    if lines.isEmpty { return [] }
    let hint = OutputLine.hint(
      "if this state can occur, try more runs, or leave more open, as in 'after 1s to 2s'"
    )
    return [.empty] + lines + [hint]
  }

  private var stopped: String { findings.end == .stopped ? "; the search was stopped" : "" }

  private func sentence(about assertion: SometimesAssertion) -> String {
    let line = assertion.line.map { " (line \($0))" } ?? ""
    let place = assertion.sourced.isEmpty ? line : assertion.sourced.escapingControls
    let text = assertion.text.printable(atMost: 200)
    return "'\(text)'\(place) \(assertion.sentence(of: findings.runs))"
  }

  /// The open values that no run has asked for, so that they were not varied.
  private var unasked: [String] {
    findings.openChoices.unasked.map {
      "not varied, because no run reached it: \(script.sentence(about: $0))"
    }
  }

  /// The line about built-in checks that are disabled.
  private var disabled: [String] {
    let names = BuiltInCheck.allCases.filter { !script.checks.contains($0) }.map {
      "'\($0.rawValue)'"
    }
    return names.isEmpty
      ? [] : ["not checked, because it is disabled: " + names.joined(separator: ", ")]
  }

  /// The lines about answers of routes, and injections, that no request of any run has met. Those of one command share a
  /// line if they are many.
  private var unused: [String] {
    var commands: [[OpenChoice]] = []
    for answer in findings.openChoices.unneeded(.answer) {
      if commands.last?.first?.command == answer.command {
        commands[commands.count - 1].append(answer)
      } else {
        commands.append([answer])
      }
    }
    return commands.flatMap { answers in
      let shown = answers.count > 3 ? answers.prefix(1) : answers[...]
      return shown.map { answer in
        let more = answers.count - shown.count
        return "not used, because no request reached it: \(script.sentence(about: answer))"
          + (more > 0 ? " and \(more) more" : "")
      }
    }
  }

  /// The lines about requests that no route has matched.
  private var unmatched: [String] {
    let requests = findings.openChoices.unneeded(.request)
    // Generated arguments make many requests.
    let shown = script.grammar == nil ? requests[...] : requests.prefix(Self.mostNames)
    let more = requests.count - shown.count
    return shown.map { "no route matched '\($0.text.printable(atMost: 120))'" }
      + (more > 0 ? ["no route matched \(more) more requests"] : [])
  }

  /// The lines about work that no schedule varies.
  private var outside: [String] {
    let lines = findings.outside.map {
      "not varied, because it is random or outside of virtual time: \($0.printable(atMost: 400))"
    }
    return lines.count < Findings.mostOutside
      ? lines : lines + ["only the first \(lines.count) kinds of such work are listed"]
  }

  /// A line for each of the findings' `unvaried`.
  private var unvaried: [String] {
    let lines = findings.unvaried.map { "not varied: \($0.printable(atMost: 400))" }
    return lines.count < Findings.mostOutside
      ? lines : lines + ["only the first \(lines.count) of these are listed"]
  }

  /// The line about orders that an exhaustive search cannot reach; nil if there are none.
  private var missed: String? {
    findings.missesOrders && findings.isExhausted
      ? "not all orders were tried, because a task yields repeatedly, executor hops are no scheduling points with this toolchain, or this program does not notice code that acts on other tasks; '\(wording.words.mixed)' tries more"
      : nil
  }

  /// The lines about functions that an unknown toolchain lacks.
  private var lacking: [String] {
    Stage.gapsOfToolchain.map { "not all orders were tried: in this toolchain, \($0)" }
  }

  /// The line about inconclusive runs, with the reason; nil if there are none.
  private var inconclusiveNote: String? {
    guard findings.inconclusiveRuns > 0 else { return nil }
    let why =
      findings.groups.lazy.map(\.outcome).first { $0.failure == nil && $0.inconclusive != nil }?
      .inconclusive ?? ""
    let runs =
      findings.inconclusiveRuns == 1 ? "1 run is" : "\(findings.inconclusiveRuns) runs are"
    return "\(runs) inconclusive: \(why.printable(atMost: 200))"
  }

  /// The line about behaviours that exceed the limit; nil if all are kept.
  private var unkept: String? {
    findings.countedUnkeptBehaviours.map {
      "\($0) in \(findings.runsInOthers) runs are counted, but not kept"
    }
  }

  /// The line that says that not all failures are listed; nil if all are.
  private var unkeptFailures: String? {
    findings.hasUnkeptFailures
      ? "more than \(Findings.mostViolatedChecks) distinct failures; the others are not listed"
      : nil
  }

  /// The reason why a later part of a search has nothing to try; nil if it tried something.
  private var reasonOfFirstPart: String? {
    guard findings.runs == 0 else { return nil }
    return switch findings.end {
    case .failure: "because the first part found a failure"
    case .nondeterministic: "because the first part found nondeterminism"
    case .partial: "because the first part left no schedule to try, but is not complete"
    case .complete, .budget, .nothingNew, .newBehaviourUnlikely:
      "because the first part tried all orders"
    case .stopped: nil
    }
  }

  /// The part of all schedules that was tried.
  private var share: String {
    if let reasonOfFirstPart { return reasonOfFirstPart }
    let tried = findings.countedSchedules
    if !findings.openChoices.unasked.isEmpty, findings.isExhausted || findings.share == 1 {
      return "\(tried), not all"
    }
    let unvaried = findings.outside + findings.unvaried
    if findings.missesOrders || findings.isExhausted && !unvaried.isEmpty {
      return "\(tried), not all"
    }
    if findings.isExhausted || findings.share == 1 {
      let all = "all orders of suspension points and executor hops"
      let parts = [
        findings.isEndless ? all + " of the performed part" : all,
        findings.leavesValuesOut ? "not all values of its ranges" : nil,
        findings.inconclusiveRuns > 0 ? "not all runs to their end" : nil,
        findings.drawsRandomNumbers ? "with the random numbers of one seed" : nil,
        findings.assumesIsolation ? "if tasks share state only through actors" : nil,
      ]
      return parts.compactMap { $0 }.joined(separator: ", ")
    }
    if findings.end == .failure, findings.runs == 1,
      findings.groups.first?.schedule.isDefault == true
    {
      return "the default schedule only"
    }
    if let share = findings.share {
      return
        "\(tried), not all (a random run is one of them with a probability of at most \(Self.percent(share)))"
    }
    if findings.isInOrder { return "\(tried), not all" }
    guard let guess = findings.guessedSchedules else { return tried }
    // The estimate is of the same size, but the search did not try all.
    if guess.rounded() <= Double(findings.schedules) { return "\(tried), perhaps not all" }
    return "\(tried) of \(Self.magnitude(guess))"
  }

  private func sentence(about group: Findings.Group) -> String {
    let runs = "run".counted(group.count)
    let fails = group.outcome.failure != nil
    if group.schedule.isDefault {
      return
        "\(runs)\(fails ? " that fail\(group.count == 1 ? "s" : "")" : ""), including the default schedule"
    }
    // The transcript has another schedule, since it has fewer commands.
    return fails
      ? "\(runs) that fail\(group.count == 1 ? "s" : "")"
      : "\(runs), for example 'schedule \(group.schedule)'"
  }

  private func sentence(aboutHidden groups: some Collection<Findings.Group>) -> [String] {
    guard !groups.isEmpty else { return [] }
    let runs = "run".counted(groups.reduce(0) { $0 + $1.count })
    let behaviours = "more behaviour".counted(groups.count)
    return ["", "\(behaviours) in \(runs); '\(wording.words.behaviours) all' lists them"]
  }

  /// Returns the commands whose output differs, and the difference: other lines, or else the same
  /// lines in another order.
  private func difference(
    between plain: ScriptRun,
    and other: ScriptRun
  ) -> [String] {
    let pairs = pairs(plain, other).filter { $0.before.all != $0.after.all }
    var changed = pairs.map { ($0.command, Self.changes(from: $0.before, to: $0.after)) }
      .filter { !$1.isEmpty }
    if changed.isEmpty {
      changed = pairs.prefix(1).map {
        ($0.command, Self.marked($0.after.all.difference(from: $0.before.all)))
      }
    }
    var lines: [String] = []
    var left = Self.mostLines
    for (command, marked) in changed where left > 0 {
      lines.append("   > " + command.printable(atMost: 200))
      lines += marked.prefix(left).map { "   \($0.mark) \($0.text)" }
      left -= min(left, marked.count)
    }
    let more = changed.reduce(0) { $0 + $1.1.count } - Self.mostLines
    return lines + (more > 0 ? ["   … \(more) more"] : [])
  }

  private typealias MarkedLine = (mark: Character, text: String)
  private typealias Pair = (command: String, before: CommandOutput, after: CommandOutput)

  /// Returns the outputs of each command in both runs. The part after the last command is included
  /// if only one run has it. Commands that a run did not reach because it failed before are no
  /// difference.
  private func pairs(
    _ plain: ScriptRun,
    _ other: ScriptRun
  ) -> [Pair] {
    let others = other.scriptRecords
    let both = zip(plain.records, others).map { ($0.command, $0.output, $1.output) }
    let last = script.commands.count
    if others.count > max(last, plain.records.count), let behind = others.last {
      return both + [(behind.command, CommandOutput(), behind.output)]
    }
    if plain.records.count > last, others.count == last, other.isWhole {
      return both + plain.records.suffix(1).map { ($0.command, $0.output, CommandOutput()) }
    }
    return both
  }

  /// Returns the lines that distinguish the behaviours, in the order of printing. The order within
  /// an instant does not distinguish them.
  private static func changes(
    from before: CommandOutput,
    to after: CommandOutput
  ) -> [MarkedLine] {
    let counted = after.counted.difference(from: before.counted)
    var left: [String: Int] = [:]
    for line in marked(counted) { left["\(line.mark)\(line.text)", default: 0] += 1 }
    return marked(after.all.difference(from: before.all)).filter { line in
      let key = "\(line.mark)\(line.text)"
      guard let count = left[key], count > 0 else { return false }
      left[key] = count - 1
      return true
    }
  }

  private static func marked(_ changes: CollectionDifference<String>) -> [MarkedLine] {
    (changes.removals + changes.insertions).map { change in
      switch change {
      case .remove(_, let line, _): ("-", line)
      case .insert(_, let line, _): ("+", line)
      }
    }
  }

  /// Returns a share as a percentage, rounded down so that it never claims too much.
  private static func percent(_ share: Double) -> String {
    let hundredths = min(Int(share * 10_000), 9_900)
    switch hundredths {
    case 0: return "less than 0.01 %"
    case 1..<100: return "0.\(hundredths < 10 ? "0" : "")\(hundredths) %"
    case 100..<1_000: return "\(hundredths / 100).\(hundredths % 100 / 10) %"
    default: return "\(hundredths / 100) %"
    }
  }

  /// Returns the magnitude of an estimated number.
  static func magnitude(_ number: Double) -> String {
    guard number.isFinite else { return "more than 10^308" }
    var exponent = 0
    var rest = number
    while rest >= 10 {
      rest /= 10
      exponent += 1
    }
    return "about " + (exponent < 6 ? "\(Int(number.rounded()))" : "10^\(exponent)")
  }
}

/// The context of the text about a search, apart from its findings.
package struct ExplorationWording {
  /// The name of the script.
  let name: String
  /// The number of columns.
  let width: Int
  /// The names of options.
  let words: ExplorationText.Words
  /// Maximum number of behaviours.
  let mostBehaviours: Int
  /// Whether failures are shown with tables of their steps, instead of timelines.
  let showsTable: Bool
  /// Other lines.
  let notes: [String]
  /// Whether the findings are those of a part of a search.
  let isPart: Bool

  package init(
    name: String,
    width: Int,
    words: ExplorationText.Words,
    mostBehaviours: Int = ExplorationText.usualBehaviours,
    showsTable: Bool = false,
    notes: [String] = [],
    isPart: Bool = false
  ) {
    self.name = name
    self.width = width
    self.words = words
    self.mostBehaviours = mostBehaviours
    self.showsTable = showsTable
    self.notes = notes
    self.isPart = isPart
  }
}

extension OutputLine {
  fileprivate static let empty = OutputLine("")
}
