package import Staging

/// What separates a failing run from the nearest run that passes: the order of two steps, or one value.
package enum FailureCause: Sendable, Hashable, Codable {
  /// In the failing run, `early` runs before `late`. The last steps whose order differs are `effect`.
  case order(early: StepText, late: StepText, effect: StepOrder?, PassingRun)
  /// In the failing run, code gets a value, and in the other one `other`. The first steps whose order differs are `order`.
  case value(NamedValue, other: String, order: StepOrder?, PassingRun)

  /// The nearest run that passes.
  package struct PassingRun: Sendable, Hashable, Codable {
    /// The actual value of the check that the failing run violates; nil if unknown.
    package let value: String?
    /// The first task that only one of the runs has; nil if there is none.
    package let difference: TaskDifference?
    /// The first place at which the code of one step continues differently; nil if unknown.
    package let branch: CodeBranch?
  }

  /// The first place at which the code of one step continues differently in the run that passes; nil if unknown.
  package var branch: CodeBranch? {
    switch self {
    case .order(_, _, _, let passing), .value(_, _, _, let passing): passing.branch
    }
  }

  /// The cause as a clause: `A at F.swift:3 ran before B at F.swift:9; in the other order the nearest run passes`.
  package var text: String {
    switch self {
    case .order(let early, let late, let effect, let passing):
      let change = effect.map { ", so \($0.textOfTasks)" } ?? ""
      let order = StepOrder(early: early, late: late).text + change
      return "\(order); in the other order the nearest run passes\(passing.text)"
    case .value(let value, let other, let order, let passing):
      let cause = value.text + (order.map { ", so \($0.text)" } ?? "")
      return "\(cause); with \(other) the nearest run passes\(passing.text)"
    }
  }

  /// The maximum number of steps that a step is delayed by.
  private static let mostSteps = 100

  /// Finds the cause of a failure; nil if the default schedule fails too, or if no run nearby passes.
  ///
  /// - Parameters:
  ///   - schedule: the shortest schedule that fails.
  ///   - comparesLines: whether it says where the code continues differently, if that can be found out here.
  ///   - fails: performs a run, and returns whether it fails in the same way.
  package init?(
    of schedule: Schedule,
    comparingLines comparesLines: Bool = true,
    fails: (SearchScheduler) -> Bool
  ) {
    guard let schedule = Self.numbers(of: schedule, fails), let last = schedule.choices.last else {
      return nil
    }
    let failing = DelayingScheduler(schedule, delay: 0)
    guard fails(failing) || failing.early == nil else { return nil }
    guard let early = failing.early else {
      self.init(ofValue: last, in: schedule, comparingLines: comparesLines, fails: fails)
      return
    }
    for delay in 1...Self.mostSteps {
      let scheduler = DelayingScheduler(schedule, delay: delay)
      let stillFails = fails(scheduler)
      guard let late = scheduler.overtaken else { return nil }
      if !stillFails {
        let cause = StepOrder(early: failing.text(of: early), late: scheduler.text(of: late))
        let steps = ComparedSteps(schedule, scheduler.schedule, comparingLines: comparesLines) {
          _ = fails($0)
        }
        let effect = StepOrder(after: cause, in: steps)
        self = .order(
          early: steps.followed(cause.early),
          late: steps.followed(cause.late),
          effect: effect,
          PassingRun(
            value: scheduler.actualValue(ofCheckViolatedIn: failing),
            difference: TaskDifference(in: steps),
            branch: CodeBranch(in: steps)
          )
        )
        return
      }
      if !scheduler.hasDelayed { return nil }
    }
    return nil
  }

  /// Returns the choices of the run of a schedule by number, without those at its end that the failure does not need; nil if
  /// the run passes.
  private static func numbers(
    of schedule: Schedule,
    _ fails: (SearchScheduler) -> Bool
  ) -> Schedule? {
    if !schedule.namesTasks { return schedule }
    let scheduler = ReplayScheduler(schedule)
    guard fails(scheduler) else { return nil }
    let words = scheduler.schedule.words
    var (passing, failing) = (0, words.count)
    while failing - passing > 1 {
      let middle = (passing + failing) / 2
      if fails(ReplayScheduler(Schedule(words: words.prefix(middle)))) {
        failing = middle
      } else {
        passing = middle
      }
    }
    return Schedule(words: words.prefix(failing))
  }

  private init?(
    ofValue value: Int,
    in schedule: Schedule,
    comparingLines comparesLines: Bool,
    fails: (SearchScheduler) -> Bool
  ) {
    let decision = schedule.choices.count - 1
    var failingRun: ReplayScheduler?
    var passingValue: String?
    // Returns the value at the decision; nil if the run passes or fails against expectation.
    func read(_ choice: Int, failing: Bool) -> NamedValue? {
      let scheduler = ReplayScheduler(schedule.with(choice, at: decision))
      scheduler.keepsTexts = true
      guard fails(scheduler) == failing else { return nil }
      if failing {
        failingRun = scheduler
      } else {
        passingValue = failingRun.flatMap(scheduler.actualValue)
      }
      return scheduler.namedValue(decision)
        ?? NamedValue("the open value of scheduling point \(decision + 1)", "option \(choice)")
    }
    guard let failing = read(value, failing: true) else { return nil }
    // The nearest smaller value that passes; the schedule is shortest, so usually the first one does.
    let smaller = Array((0..<value).reversed().prefix(Self.mostSteps))
    for other in smaller + (smaller.last == 0 ? [] : [0]) {
      guard let passing = read(other, failing: false) else { continue }
      let steps = ComparedSteps(
        schedule,
        schedule.with(other, at: decision),
        comparingLines: comparesLines
      ) { _ = fails($0) }
      self = .value(
        failing,
        other: passing.value,
        order: StepOrder(in: steps),
        PassingRun(
          value: passingValue,
          difference: TaskDifference(in: steps),
          branch: CodeBranch(in: steps)
        )
      )
      return
    }
    return nil
  }
}

extension Schedule {
  fileprivate func with(_ choice: Int, at decision: Int) -> Schedule {
    var choices = choices
    choices[decision] = choice
    return Schedule(choices)
  }
}

extension FailureCause.PassingRun {
  fileprivate var text: String {
    (value.map { " (there: \($0))" } ?? "") + (difference.map { "; \($0.text)" } ?? "")
  }
}

/// The steps of a failing run and of a run that passes.
private struct ComparedSteps {
  let failing: [StepText]
  let passing: [StepText]
  /// The same steps as far as they were known before they ran.
  let failingCode: [StepText]
  let passingCode: [StepText]
  /// The lines of both runs; nil if they are unknown.
  let lines: (failing: PerformedLines, passing: PerformedLines)?

  /// - Parameters:
  ///   - schedule: the schedule of the failing run.
  ///   - other: that of the other run.
  ///   - comparesLines: whether it finds the lines of the steps, by further runs.
  ///   - play: performs a run.
  init(
    _ schedule: Schedule,
    _ other: Schedule,
    comparingLines comparesLines: Bool,
    _ play: (SearchScheduler) -> Void
  ) {
    let schedulers = [schedule, other].map { TracingScheduler($0) }
    for scheduler in schedulers { play(scheduler) }
    (failing, passing) = (schedulers[0].texts, schedulers[1].texts)
    (failingCode, passingCode) = (schedulers[0].steps.map(\.text), schedulers[1].steps.map(\.text))
    let addresses = schedulers[0].codeAddresses.union(schedulers[1].codeAddresses)
    let lineSteps = comparesLines ? LineSteps(inFilesOf: addresses) : nil
    let lines = zip([schedule, other], schedulers).map { schedule, known in
      lineSteps.flatMap { PerformedLines(of: schedule, $0, known, play) }
    }
    if let failing = lines[0], let passing = lines[1] {
      self.lines = (failing, passing)
    } else {
      self.lines = nil
    }
  }

  /// Returns the text of a step of the failing run, with the line that its task has performed next.
  func followed(_ text: StepText, at place: Int) -> StepText {
    lines.map { text.followed(by: $0.failing.lines(from: place)) } ?? text
  }

  /// Returns the text of the first step of the failing run with this text after the runs part, with the line that its task has
  /// performed next.
  func followed(_ text: StepText) -> StepText {
    let part = zip(failingCode, passingCode).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
    let place = failingCode[part...].firstIndex(of: text)
    return place.map { followed(text, at: $0) } ?? text
  }
}

/// The lines that the steps of a run have performed.
private struct PerformedLines {
  private let steps: [[LineSteps.Line]]
  /// What runs each step; nil if it has the same name as something else.
  private let runners: [String?]

  /// Nil if they are unknown, or if the run has another number of steps than before.
  ///
  /// - Parameters:
  ///   - schedule: the schedule of the run.
  ///   - lineSteps: notes the lines.
  ///   - known: the scheduler of the same run before.
  ///   - play: performs the run.
  init?(
    of schedule: Schedule,
    _ lineSteps: LineSteps,
    _ known: TracingScheduler,
    _ play: (SearchScheduler) -> Void
  ) {
    for _ in 0..<Self.mostAttempts {
      let scheduler = TracingScheduler(schedule, lineSteps: lineSteps)
      guard let lines = lineSteps.lines(in: { play(scheduler) }) else { continue }
      guard lines.count == known.steps.count, scheduler.runners == known.runners else { return nil }
      (steps, runners) = (lines, scheduler.runners)
      return
    }
    return nil
  }

  /// Another test may run the same code at the same time.
  private static let mostAttempts = 3

  /// Returns the lines of a step and of the later ones of its task: the step may only wake the task, or move it to its executor.
  func lines(from place: Int) -> [LineSteps.Line] {
    guard let runner = runners[place] else { return steps[place] }
    return steps.indices[place...].filter { runners[$0] == runner }.flatMap { steps[$0] }
  }

  /// The lines of one task or block, each with the number of its step. Equal lines in a row are one.
  typealias Path = [(line: LineSteps.Line, step: Int)]

  /// The lines of each task and block with an own name.
  var paths: [String: Path] {
    var paths: [String: Path] = [:]
    for (step, (runner, lines)) in zip(runners, steps).enumerated() {
      guard let runner else { continue }
      for line in lines where paths[runner]?.last?.line != line {
        paths[runner, default: []].append((line, step))
      }
    }
    return paths
  }
}

/// A place at which the code of a task continues differently in the nearest run that passes.
package struct CodeBranch: Sendable, Hashable, Codable {
  package let function: String
  package let file: String
  package let line: Int
  /// What runs it: `task 2`, `a block on DispatchQueue.main`.
  package let runner: String
  /// The next line of the function in the failing run; nil if the function ends.
  package let failing: Int?
  /// The same in the run that passes.
  package let passing: Int?

  /// Finds the first such place in the order of the failing run.
  fileprivate init?(in steps: ComparedSteps) {
    guard let lines = steps.lines else { return nil }
    let others = lines.passing.paths
    let found = lines.failing.paths.compactMap { runner, path in
      others[runner].flatMap { CodeBranch.find(path, $0, runner) }
    }
    guard let first = found.min(by: { $0.step < $1.step }) else { return nil }
    self = first.branch
  }

  private static func find(
    _ failing: PerformedLines.Path,
    _ passing: PerformedLines.Path,
    _ runner: String
  ) -> (step: Int, branch: CodeBranch)? {
    let shared = zip(failing, passing).prefix { $0.line == $1.line }.count
    // A task that performs no further line may only wait.
    guard shared > 0, shared < failing.count, shared < passing.count else { return nil }
    let calls = OpenCalls(failing[..<shared].map(\.line))
    let rests = [failing, passing].map { $0[shared...].map(\.line) }
    for call in calls.all.reversed() {
      let next = rests.map { calls.next(in: call, $0) }
      guard let failingNext = next[0], let passingNext = next[1] else { return nil }
      // An inner call has ended in both runs.
      if failingNext == .end, passingNext == .end { continue }
      if failingNext == passingNext { return nil }
      let branch = CodeBranch(
        function: call.line.function,
        file: call.line.file,
        line: call.line.number,
        runner: runner,
        failing: failingNext.number,
        passing: passingNext.number
      )
      return (failing[shared].step, branch)
    }
    return nil
  }

  private init(
    function: String,
    file: String,
    line: Int,
    runner: String,
    failing: Int?,
    passing: Int?
  ) {
    (self.function, self.file, self.line, self.runner) = (function, file, line, runner)
    (self.failing, self.passing) = (failing, passing)
  }

  /// The branch as a clause: `after Model.swift:5, Model.load() (task 2) continues with Model.swift:6; in the passing run, it
  /// leaves the function`.
  package var text: String {
    let start = "after \(file):\(line), \(function) (\(runner))"
    let (own, other) = (failing.map { "\(file):\($0)" }, passing.map { "\(file):\($0)" })
    guard let own else {
      return "\(start) leaves the function"
        + (other.map { "; in the passing run, it continues with \($0)" } ?? "")
    }
    return "\(start) continues with \(own); in the passing run, "
      + (other.map { "with \($0)" } ?? "it leaves the function")
  }
}

/// The calls of functions that are open after a task has performed some lines.
private struct OpenCalls {
  struct Call {
    /// The latest line of the call.
    var line: LineSteps.Line

    func isOfFunction(of other: LineSteps.Line) -> Bool {
      line.function == other.function && line.file == other.file
    }
  }

  /// The outermost call first.
  private(set) var all: [Call] = []

  init(_ lines: [LineSteps.Line]) {
    for line in lines {
      if let index = all.lastIndex(where: { $0.isOfFunction(of: line) }) {
        all.removeSubrange((index + 1)...)
        all[index].line = line
      } else {
        all.append(Call(line: line))
      }
    }
  }

  enum Next: Equatable {
    case line(Int)
    case end

    var number: Int? { if case .line(let number) = self { number } else { nil } }
  }

  /// Returns how an open call continues; nil if it does not.
  func next(in call: Call, _ lines: [LineSteps.Line]) -> Next? {
    for line in lines {
      if call.isOfFunction(of: line) { return line.isLast ? .end : .line(line.number) }
      let outer = all.prefix { !$0.isOfFunction(of: call.line) }
      if outer.contains(where: { $0.isOfFunction(of: line) }) { return .end }
    }
    return nil
  }
}

/// A step, and how many equal ones came before it.
private struct StepOccurrence: Hashable {
  let text: StepText
  let number: Int

  static func all(_ steps: [StepText]) -> [StepOccurrence] {
    var counts: [StepText: Int] = [:]
    return steps.map { step in
      defer { counts[step, default: 0] += 1 }
      return StepOccurrence(text: step, number: counts[step, default: 0])
    }
  }

  static func places(of steps: [StepText]) -> [StepOccurrence: Int] {
    Dictionary(zip(all(steps), steps.indices), uniquingKeysWith: { first, _ in first })
  }
}

/// A task that only one of two runs has, or more such tasks than the other run.
package struct TaskDifference: Sendable, Hashable, Codable {
  /// Its first step.
  package let step: StepText
  /// Whether the run that passes has it, and not the failing one.
  package let isOfPassingRun: Bool
  /// The number of such tasks in the other run.
  package let otherCount: Int

  /// Finds the first task that only the run that passes has, or else the first one that only the failing run has.
  fileprivate init?(in steps: ComparedSteps) {
    if let (step, count) = Self.first(of: steps.passingCode, notIn: steps.failingCode) {
      (self.step, isOfPassingRun, otherCount) = (step, true, count)
    } else if let (step, count) = Self.first(of: steps.failingCode, notIn: steps.passingCode) {
      (self.step, isOfPassingRun, otherCount) = (step, false, count)
    } else {
      return nil
    }
  }

  private static func first(
    of steps: [StepText],
    notIn others: [StepText]
  ) -> (step: StepText, count: Int)? {
    let counts = Dictionary(others.compactMap(\.creation).map { ($0, 1) }, uniquingKeysWith: +)
    var found: [String: Int] = [:]
    for step in steps {
      guard let creation = step.creation else { continue }
      found[creation, default: 0] += 1
      let count = counts[creation, default: 0]
      if found[creation, default: 0] > count { return (step, count) }
    }
    return nil
  }

  /// The difference as a clause: `only that run has a task created in Model.load() at Model.swift:3`.
  fileprivate var text: String {
    let run = isOfPassingRun ? "that run" : "the failing run"
    let subject = otherCount == 0 ? "only \(run) has a task" : "\(run) has one more task"
    return "\(subject) created in \(step.creation ?? "")"
  }
}

/// Two steps that another run performs in the other order.
package struct StepOrder: Sendable, Hashable, Codable {
  package let early: StepText
  package let late: StepText

  init(early: StepText, late: StepText) { (self.early, self.late) = (early, late) }

  /// Finds the first step of a failing run that the other run performs later, and the step that this one performs there
  /// instead.
  fileprivate init?(in compared: ComparedSteps) {
    let (steps, others) = (compared.failing, compared.passing)
    guard let place = zip(steps, others).enumerated().first(where: { $1.0 != $1.1 })?.offset,
      others[place...].contains(steps[place]), steps[place...].contains(others[place])
    else { return nil }
    let later = steps[place...].firstIndex(of: others[place]) ?? place
    self.init(
      early: compared.followed(steps[place], at: place),
      late: compared.followed(steps[later], at: later)
    )
  }

  /// Finds the last steps of the same tasks as two steps whose order differs between two runs, if their order differs, too.
  ///
  /// - Parameters:
  ///   - cause: the first steps with another order.
  ///   - compared: the steps of both runs.
  fileprivate init?(after cause: StepOrder, in compared: ComparedSteps) {
    // Effects would hide the code.
    let places = StepOccurrence.places(of: compared.passingCode)
    // The steps that both runs perform, with their places in the other run.
    let all = StepOccurrence.all(compared.failingCode)
    let shared = zip(all, all.indices).suffix(Self.mostSteps).compactMap { step, own in
      places[step].flatMap { step.text.place == nil ? nil : (text: step.text, own: own, other: $0) }
    }
    for (index, late) in shared.enumerated().reversed()
    where late.text.subject == cause.late.runner {
      let early = shared[..<index].last {
        $0.other > late.other && $0.text.subject == cause.early.runner
      }
      if let early {
        if early.text == cause.early, late.text == cause.late { return nil }
        self.init(
          early: compared.followed(early.text, at: early.own),
          late: compared.followed(late.text, at: late.own)
        )
        return
      }
    }
    return nil
  }

  private static let mostSteps = 300

  /// The order as a clause: `A at F.swift:3 ran before B at F.swift:9`.
  var text: String {
    let namesTasks = early.text == late.text || early.runner != late.runner
    let verb = early.isEffect ? "came" : "ran"
    let first = namesTasks ? early.longText : early.text
    let last = early == late ? "another one" : namesTasks ? late.longText : late.text
    return "\(first) \(verb) before \(last)"
  }
}

extension StepOrder {
  /// The order as a clause, which names the place once if two tasks ran there:
  /// `A at F.swift:3 ran in task 3 before it ran in task 2`.
  fileprivate var textOfTasks: String {
    guard let place = early.place, place == late.place else { return text }
    if early.next == late.next {
      return "\(early.longPlace ?? place) ran in \(early.subject) before it ran in \(late.subject)"
    }
    let (first, last) = (early.next.map { " (then \($0))" }, late.next.map { " (then \($0))" })
    return
      "\(place) ran in \(early.subject)\(first ?? "") before it ran in \(late.subject)\(last ?? "")"
  }
}

/// A value that code of a run got where several were possible, for readers.
package struct NamedValue: Sendable, Hashable, Codable {
  /// What has the value: `'choose' at SearchTests.swift:9`, `the delay of 'load feed 1 after 1s to 2s'`.
  package let name: String
  package let value: String
  /// The place of the command that left it open; nil for code.
  package let place: String?
  /// The file of the command, without folders; nil if unknown.
  package let file: String?
  /// The line of the command, counted from 1; nil if unknown.
  package let line: Int?

  init(_ name: String, _ value: String, at place: CodePlace? = nil) {
    (self.name, self.value) = (name, value)
    // The name has the command itself.
    let place = place.flatMap { $0.line == nil ? nil : $0 }
    (self.place, file, line) = (place?.text, place?.file, place?.line)
  }

  /// The value as a clause: `'choose' at SearchTests.swift:9 is 4`.
  package var text: String { "\(name)\(place.map { " (\($0))" } ?? "") is \(value)" }
}

extension SearchScheduler {
  /// Returns the value that code of the run got at a decision, after the run; nil if it got none.
  fileprivate func namedValue(_ decision: Int) -> NamedValue? {
    values[decision].map { NamedValue($0.name, $0.value, at: $0.record.flatMap(placeOfRecord)) }
  }

  /// The values of the run that differ from the default schedule's, in the order of their decisions.
  fileprivate var deviatingValues: [NamedValue] {
    choices.indices.filter { choices[$0] != 0 }.compactMap(namedValue)
  }
}

/// Why a run fails, as far as other runs show it.
package struct FailureExplanation: Sendable, Hashable, Codable {
  package let cause: FailureCause?
  /// The values that the shortest failing run chose and the default schedule would not.
  package let values: [NamedValue]
  /// The tasks and steps that its schedule names.
  package let names: [StepName]

  /// Explains nothing.
  package static let none = FailureExplanation(cause: nil, values: [], names: [])

  private init(cause: FailureCause?, values: [NamedValue], names: [StepName]) {
    (self.cause, self.values, self.names) = (cause, values, names)
  }

  /// Explains a failure, with at most a hundred runs and a few more.
  ///
  /// - Parameters:
  ///   - schedule: the shortest schedule that fails.
  ///   - comparesLines: whether it says where the code continues differently, if that can be found out here.
  ///   - fails: performs a run, and returns whether it fails in the same way.
  package init(
    of schedule: Schedule,
    comparingLines comparesLines: Bool = true,
    fails: (SearchScheduler) -> Bool
  ) {
    guard !schedule.isDefault else {
      self = .none
      return
    }
    let scheduler = ReplayScheduler(schedule)
    scheduler.keepsTexts = true
    guard fails(scheduler) else {
      self = .none
      return
    }
    self.init(
      cause: FailureCause(of: schedule, comparingLines: comparesLines, fails: fails),
      values: scheduler.deviatingValues,
      names: scheduler.names(of: schedule)
    )
  }

  /// The cause, the chosen values and the names, a line for each.
  package var lines: [String] {
    (cause.map { ["cause: \($0.text)"] } ?? []) + (branchText.map { ["branch: \($0)"] } ?? [])
      + (valuesText.map { ["values: \($0)"] } ?? [])
      + (namesText.map { [$0] } ?? [])
  }

  /// Where the code continues differently in the nearest run that passes, as one line.
  package var branchText: String? { cause?.branch?.text }

  /// The names of the schedule as one line: `in the schedule, t1@4 is Model.refresh() at Model.swift:14 (task 2), …`.
  package var namesText: String? {
    names.isEmpty ? nil : "in the schedule, " + names.map(\.text).joined(separator: ", ")
  }

  /// The chosen values as one line, unless the cause says them: `'choose' at SearchTests.swift:9 is 4, …`.
  package var valuesText: String? {
    if values.isEmpty { return nil }
    if case .value(let value, _, _, _) = cause, values == [value] { return nil }
    return values.map(\.text).joined(separator: ", ")
  }
}
