package import Staging

/// The cause of a failure: finds the order of two steps, or the value, without which the nearest run passes.
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

  /// Finds the cause of a failure; nil if no run nearby passes.
  ///
  /// - Parameters:
  ///   - schedule: the shortest schedule that fails.
  ///   - fails: performs a run, and returns whether it fails in the same way.
  package init?(of schedule: Schedule, fails: (SearchScheduler) -> Bool) {
    if schedule.isDefault {
      self.init(ofDefaultSchedule: fails)
      return
    }
    guard let schedule = Self.numbers(of: schedule, fails), let last = schedule.choices.last else {
      return nil
    }
    let failing = DelayingScheduler(schedule, delay: 0)
    guard fails(failing) || failing.early == nil else { return nil }
    guard let early = failing.early else {
      self.init(ofValue: last, in: schedule, fails: fails)
      return
    }
    for delay in 1...Self.mostSteps {
      let scheduler = DelayingScheduler(schedule, delay: delay)
      let stillFails = fails(scheduler)
      guard let late = scheduler.overtaken else { return nil }
      if !stillFails {
        let cause = StepOrder(early: failing.text(of: early), late: scheduler.text(of: late))
        let steps = ComparedSteps(schedule, scheduler.schedule) { _ = fails($0) }
        let effect = StepOrder(after: cause, in: steps)
        self = .order(
          early: cause.early,
          late: cause.late,
          effect: effect,
          PassingRun(
            value: scheduler.actualValue(ofCheckViolatedIn: failing),
            difference: TaskDifference(in: steps)
          )
        )
        return
      }
      if !scheduler.hasDelayed { return nil }
    }
    return nil
  }

  /// The maximum number of runs that differ from the default schedule in one choice, and of the choices in all of them: a
  /// long run would be repeated a hundred times, although no run may pass.
  private static let (mostNeighbours, mostChoices) = (100, 20_000)

  /// Finds the latest choice of the default schedule without which a run passes.
  private init?(ofDefaultSchedule fails: (SearchScheduler) -> Bool) {
    let failing = ReplayScheduler(Schedule())
    failing.keepsTexts = true
    guard fails(failing) else { return nil }
    let counts = failing.counts
    let neighbours = counts.indices.reversed().lazy
      .flatMap { decision in
        (1..<max(1, counts[decision])).lazy.map { (decision: decision, choice: $0) }
      }
      .prefix(min(Self.mostNeighbours, Self.mostChoices / max(1, counts.count)))
    for (decision, choice) in neighbours {
      let other = Schedule(Array(repeating: 0, count: decision) + [choice])
      let passing = ReplayScheduler(other)
      passing.keepsTexts = true
      guard !fails(passing) else { continue }
      let steps = ComparedSteps(Schedule(), other) { _ = fails($0) }
      let order = StepOrder(in: steps)
      let run = PassingRun(
        value: passing.actualValue(ofCheckViolatedIn: failing),
        difference: TaskDifference(in: steps)
      )
      if let value = failing.namedValue(decision), let other = passing.namedValue(decision) {
        self = .value(value, other: other.value, order: order, run)
      } else if let order {
        let effect = StepOrder(after: order, in: steps)
        self = .order(early: order.early, late: order.late, effect: effect, run)
      } else {
        continue
      }
      return
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

  private init?(ofValue value: Int, in schedule: Schedule, fails: (SearchScheduler) -> Bool) {
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
      let steps = ComparedSteps(schedule, schedule.with(other, at: decision)) { _ = fails($0) }
      self = .value(
        failing,
        other: passing.value,
        order: StepOrder(in: steps),
        PassingRun(value: passingValue, difference: TaskDifference(in: steps))
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

  /// - Parameters:
  ///   - schedule: the schedule of the failing run.
  ///   - other: that of the other run.
  ///   - play: performs a run.
  init(_ schedule: Schedule, _ other: Schedule, _ play: (SearchScheduler) -> Void) {
    let schedulers = [schedule, other].map(TracingScheduler.init)
    for scheduler in schedulers { play(scheduler) }
    (failing, passing) = (schedulers[0].texts, schedulers[1].texts)
    (failingCode, passingCode) = (schedulers[0].steps.map(\.text), schedulers[1].steps.map(\.text))
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

  /// The difference as a clause: `only the passing run has a task created in Model.load() at Model.swift:3`.
  fileprivate var text: String {
    let run = isOfPassingRun ? "the passing run" : "the failing run"
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
    self.init(early: steps[place], late: others[place])
  }

  /// Finds the last steps of the same tasks as two steps whose order differs between two runs, if their order differs, too.
  ///
  /// - Parameters:
  ///   - cause: the first steps with another order.
  ///   - compared: the steps of both runs.
  fileprivate init?(after cause: StepOrder, in compared: ComparedSteps) {
    // Effects would hide the code.
    let others = compared.passingCode
    let places = Dictionary(
      zip(Occurrence.all(others), others.indices),
      uniquingKeysWith: { first, _ in first }
    )
    // The steps that both runs perform, with their places in the other run.
    let shared = Occurrence.all(compared.failingCode).suffix(Self.mostSteps).compactMap { step in
      places[step].flatMap { step.text.place == nil ? nil : (text: step.text, other: $0) }
    }
    for (index, late) in shared.enumerated().reversed()
    where late.text.subject == cause.late.runner {
      let early = shared[..<index].last {
        $0.other > late.other && $0.text.subject == cause.early.runner
      }
      if let early {
        if early.text == cause.early, late.text == cause.late { return nil }
        self.init(early: early.text, late: late.text)
        return
      }
    }
    return nil
  }

  private static let mostSteps = 300

  /// A step, and how many equal ones came before it.
  private struct Occurrence: Hashable {
    let text: StepText
    let number: Int

    static func all(_ steps: [StepText]) -> [Occurrence] {
      var counts: [StepText: Int] = [:]
      return steps.map { step in
        defer { counts[step, default: 0] += 1 }
        return Occurrence(text: step, number: counts[step, default: 0])
      }
    }
  }

  /// The order as a clause: `A at F.swift:3 ran before B at F.swift:9`.
  var text: String {
    let namesTasks = early.text == late.text || early.runner != late.runner
    let verb = early.isEffect ? "came" : "ran"
    // Effects of two tasks that one line creates: the task tells them apart.
    if early.isEffect, late.isEffect, let place = early.place, place == late.place,
      let creation = early.creation, creation == late.creation
    {
      return "\(early.subject) (\(early.runner): \(place)) \(verb) before "
        + "\(late.subject) (\(late.runner))"
    }
    // Two tasks that one line creates, and that have not begun.
    if early.creation != nil, late.creation != nil, !early.isEffect, !late.isEffect,
      early.place == late.place, early.subject != late.subject, let file = early.file,
      let line = early.line
    {
      return "\(early.subject) began before \(late.subject) (both created at \(file):\(line))"
    }
    let first = namesTasks ? early.longText : early.text
    let last = early == late ? "another one" : namesTasks ? late.longText : late.text
    return "\(first) \(verb) before \(last)"
  }
}

extension StepOrder {
  /// The order as a clause, which names the place once if two tasks ran there:
  /// `task 3 ran A at F.swift:3 before task 2 did`.
  fileprivate var textOfTasks: String {
    guard let place = early.place, place == late.place else { return text }
    return "\(early.subject) ran \(early.longPlace ?? place) before \(late.subject) did"
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
  ///   - fails: performs a run, and returns whether it fails in the same way.
  package init(of schedule: Schedule, fails: (SearchScheduler) -> Bool) {
    let scheduler = ReplayScheduler(schedule)
    scheduler.keepsTexts = true
    guard fails(scheduler) else {
      self = .none
      return
    }
    self.init(
      cause: FailureCause(of: schedule, fails: fails),
      values: scheduler.deviatingValues,
      names: scheduler.names(of: schedule)
    )
  }

  /// The cause, the chosen values and the names, a line for each.
  package var lines: [String] {
    (cause.map { ["cause: \($0.text)"] } ?? []) + (valuesText.map { ["values: \($0)"] } ?? [])
      + (namesText.map { [$0] } ?? [])
  }

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
