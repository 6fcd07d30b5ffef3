/// The findings of a search: groups of equal runs, violated checks, counts, why it ended, and whether it is complete.
///
/// The findings of the parts of a search can be appended to each other, in the order of their runs.
/// The result equals the findings of one search through all parts, however it was divided.
public struct Findings: Sendable, Codable {
  /// Runs with the same behaviour.
  public struct Group: Sendable, Codable {
    /// The number of runs.
    public package(set) var count: Int
    /// The schedule of the run that deviates least from the default schedule.
    public package(set) var schedule: Schedule
    /// The number of that run.
    package var nearest: Int
    /// The outcome of that run.
    public package(set) var outcome: RunOutcome
    /// The number of the first run, from 0.
    public package(set) var first: Int
    /// The fingerprint of the behaviour.
    package let fingerprint: UInt64
    /// The number of the first run among the random runs; nil if it was not random.
    package var sample: Int?
    /// Whether its first run is that of the default schedule. Each search begins with it.
    package var isOfDefaultSchedule: Bool { first == 0 && sample == nil && schedule.isDefault }
    /// Whether exactly one run showed the behaviour, a random one.
    var isSingle: Bool { count == 1 && sample != nil }
    /// Whether the outcome is incomplete, or that of another run of the group. Then the run must be repeated.
    package var needsReplay = false

    private enum CodingKeys: CodingKey {
      case count, schedule, nearest, outcome, first, fingerprint, sample
    }

    package init(
      count: Int,
      schedule: Schedule,
      nearest: Int,
      outcome: RunOutcome,
      first: Int,
      fingerprint: UInt64,
      sample: Int? = nil
    ) {
      self.count = count
      self.schedule = schedule
      self.nearest = nearest
      self.outcome = outcome
      self.first = first
      self.fingerprint = fingerprint
      self.sample = sample
    }
  }

  /// The runs that violate a check.
  package struct ViolatedCheck: Sendable, Codable {
    package let check: CheckID
    package var count: Int
    /// The schedule of the run that deviates least from the default schedule.
    package var schedule: Schedule
    /// The number of that run.
    package var nearest: Int

    package init(_ check: CheckID, count: Int, schedule: Schedule, nearest: Int) {
      self.check = check
      self.count = count
      self.schedule = schedule
      self.nearest = nearest
    }
  }

  /// A violated check.
  public struct Failure: Sendable, Codable {
    package let check: CheckID
    /// The number of runs that violate it.
    public let count: Int
    /// The shortest schedule found for it.
    public let schedule: Schedule
    /// The result of the run by that schedule.
    public let outcome: RunOutcome
    /// Why that run fails, as far as other runs show it; empty until they have been performed.
    package var explanation = FailureExplanation.none

    /// The requirement of the check.
    public var rule: String { check.text }
  }

  /// The reason why a search ended.
  public enum End: String, Sendable, Codable {
    /// All orders of suspension points and executor hops were tried, with all values that the scenario leaves open.
    /// Synchronous code is not interrupted. If `assumesIsolation` is true, this holds if tasks share state only
    /// through actors. If `drawsRandomNumbers` is true, it holds for the random numbers of one seed. Sets and dictionaries
    /// have the same order in each run.
    case complete
    /// Nothing is left to try, but the search left something out: values of a range, values that no
    /// run needed, orders, what no schedule varies, work outside of virtual time, or the rest of a stopped run.
    case partial
    /// The maximum number of runs was reached.
    case budget
    /// Many runs in a row showed no new behaviour.
    case nothingNew
    /// One more random run shows a new behaviour with a probability of at most the limit.
    case newBehaviourUnlikely
    /// The first failure ended it.
    case failure
    /// A run gave another result when it ran again.
    case nondeterministic = "nondeterministic"
    /// A signal or the time limit stopped it.
    case stopped
  }

  /// The number of runs, including the default schedule.
  public package(set) var runs = 0
  /// The number of inconclusive runs without a violation.
  public package(set) var inconclusiveRuns = 0
  /// The number of runs that were performed twice, without the default schedule.
  public package(set) var checked = 0
  /// The reason why the search ended.
  public package(set) var end: End {
    get { isExhausted && leavesSomethingOut ? .partial : reason }
    set { reason = newValue == .partial ? .complete : newValue }
  }
  private var reason = End.budget
  private var leavesSomethingOut: Bool {
    leavesValuesOut || missesOrders || inconclusiveRuns > 0 || !outside.isEmpty
      || !unvaried.isEmpty
      || !openChoices.unasked.isEmpty || hasUnkeptFailures || isEndless
      || firstPartLeavesSomethingOut
      || groups.contains { $0.outcome.inconclusive != nil }
  }
  /// Whether the systematic runs of another part left something out, and left no runs for this
  /// part.
  private var firstPartLeavesSomethingOut = false
  /// Whether nothing is left to try.
  package var isExhausted: Bool { reason == .complete }
  /// Whether orders were left out because tasks are assumed to share state only through actors,
  /// including the main actor. Nonisolated code of a task is then independent of other tasks.
  public package(set) var assumesIsolation = false
  /// Whether code drew random numbers. They come from one seed and are the same in each run, so other numbers were not
  /// tried.
  public package(set) var drawsRandomNumbers = false
  /// The groups in the order of their first runs; at most `mostGroups`, and one of inconclusive runs.
  public package(set) var groups: [Group] = []
  /// The number of runs whose groups are not kept, because there were too many.
  public package(set) var runsInOthers = 0
  /// The steps of the tasks in the default schedule.
  var census = StepCensus()
  /// What is known about further runs.
  var forecast: RunForecast { RunForecast(length: mostDecisions, census: census) }
  /// Whether schedules were tried systematically, not at random.
  public package(set) var isInOrder = false
  /// The number of systematic runs, including the default schedule, before other runs.
  package var runsInOrder = 0
  /// Whether the last run was systematic, although others were random.
  package var isLastRunSystematic = false
  /// The probability that a random run follows one of the systematic schedules, from 0 to 1; nil if
  /// it is unknown, or if no schedules were tried systematically.
  public package(set) var share: Double?
  /// Whether only some values of a range were tried: those at which something happens, and one
  /// between each two of them.
  public package(set) var leavesValuesOut = false
  /// Whether some orders were not tried: hops between executors are no scheduling points with this
  /// toolchain or on this platform, the program does not notice which steps act on others, or a
  /// task yields repeatedly.
  public package(set) var missesOrders = false
  /// Whether there were more distinct failures than are kept, so that some are not listed.
  package var hasUnkeptFailures = false
  /// Work outside of virtual time, which no schedule varies: work for Dispatch, a run loop or a
  /// thread, and actions of other threads on the tasks of a run. Without duplicates, at most 100.
  public package(set) var outside: [String] = []
  /// What no schedule varies although code depends on it, such as the order of the jobs of another stage. Noun phrases
  /// without duplicates, at most 100.
  public package(set) var unvaried: [String] = []
  /// Whether the default schedule never settles, so that all schedules cover only the part that was
  /// performed.
  package var isEndless = false
  /// Baseline failures, which are ignored.
  package var ignored: [Violation] = []
  /// The `schedule` commands in sourced files that the default schedule met and that the search ignores.
  package var schedulesLeftOut: [String] = []
  /// The notes of the default schedule, such as about patterns that no request matches.
  package var notesOfDefault: [String] = []
  /// Digests of the files that the default schedule has read, by path.
  package var readings: [String: String] = [:]
  /// Those of these files that had other contents at the end of the search, so that its runs may have performed different
  /// commands.
  package var changedFiles: [String] = []
  /// The values that the script leaves open, and which of them a run needed.
  package var openChoices = OpenChoices()
  /// The schedule of a run that gave another result when it ran again.
  public package(set) var nondeterministicSchedule: Schedule?
  /// The largest number of decisions in a run.
  public package(set) var mostDecisions = 0
  /// The violated checks, without duplicates.
  public package(set) var failures: [Failure] = []
  /// The `sometimes` assertions that a run evaluated, with the number of runs in which each held. At most
  /// 1,000.
  public package(set) var sometimes: [SometimesAssertion] = []
  /// Whether there were more `sometimes` assertions than are kept, so that some are not checked.
  package var hasUnkeptSometimes = false
  /// The violated checks in the order of their first violations.
  package var violatedChecks: [ViolatedCheck] = []

  /// The indices of the kept groups, by fingerprint.
  var places: [UInt64: Int] = [:]
  /// The groups that are not kept.
  package var others = UnkeptBehaviours()
  /// The hashes of the schedules that were tried.
  package var hashes = HashSample()
  package var sumOfGuesses = ExactSum()
  package var guesses = 0
  /// The number of schedules whose hashes are unknown, as in the report of a whole search.
  package var unlistedSchedules = UnlistedCount()
  /// The number of groups that are unknown, as in the report of a whole search.
  package var unlistedBehaviours = UnlistedCount()
  /// The random runs, for the estimate of the probability of a new behaviour.
  package var sample = BehaviourSample()
  /// The estimate that a report of a whole search states.
  package var statedEstimate: NewBehaviourEstimate?
  /// The number of runs when the last new behaviour appeared.
  package var runsAtNews = 0

  /// Maximum number of kept groups.
  package static let mostGroups = 10_000
  /// Maximum number of kinds of work outside of virtual time that are named, and of other things that no schedule varies.
  package static let mostOutside = 100
  /// Maximum number of violated checks that are distinguished.
  package static let mostViolatedChecks = 1_000

  /// Empty findings.
  package init(end: End = .budget) { self.end = end }

  /// The findings of a later part of a search, if the first part has left no runs for it.
  package var ofLaterPart: Findings {
    var later = Findings(end: end)
    later.firstPartLeavesSomethingOut = leavesSomethingOut
    later.assumesIsolation = assumesIsolation
    later.drawsRandomNumbers = drawsRandomNumbers
    later.isEndless = isEndless
    later.readings = readings
    later.missesOrders = missesOrders
    later.leavesValuesOut = leavesValuesOut
    return later
  }

  /// Whether a run gave another result when it ran again.
  public var isNondeterministic: Bool { nondeterministicSchedule != nil }

  /// Whether the search ended at its budget, or without all orders.
  package var isUndecided: Bool { end == .budget || isExhausted && missesOrders }

  /// The number of runs since the last new behaviour; 0 if it is unknown, because there are too many behaviours.
  package var runsSinceNews: Int { others.isEstimate ? 0 : runs - runsAtNews }

  /// The estimated number of schedules, from the decisions of random runs; nil if there were none.
  public var guessedSchedules: Double? {
    guesses == 0 ? nil : max(sumOfGuesses.value / Double(guesses), Double(schedules))
  }

  /// Counts a run, with its first failure or with all of them.
  mutating func add(
    _ outcome: RunOutcome,
    _ scheduler: SearchScheduler,
    keepsAllFailures: Bool
  ) {
    if scheduler is RandomScheduler {
      sumOfGuesses.add(scheduler.guessedSchedules)
      guesses += 1
    }
    add(
      outcome,
      scheduler.choices,
      isRandomised: scheduler.isRandomised,
      keepsAllFailures: keepsAllFailures
    )
  }

  /// The findings of a single run whose process ended.
  ///
  /// - Parameters:
  ///   - outcome: the outcome as far as other processes know it.
  ///   - choices: the choices until the process ended.
  ///   - isRandomised: whether a random strategy chose the run.
  package init(lost outcome: RunOutcome, choices: [Int], isRandomised: Bool) {
    add(outcome, choices, isRandomised: isRandomised, keepsAllFailures: true)
  }

  private mutating func add(
    _ outcome: RunOutcome,
    _ choices: [Int],
    isRandomised: Bool,
    keepsAllFailures: Bool
  ) {
    var outcome = outcome
    if !outcome.openChoices.isEmpty {
      openChoices.merge(outcome.openChoices)
      outcome.openChoices = OpenChoices()
    }
    if !outcome.outside.isEmpty {
      addOutside(outcome.outside)
      outcome.outside = []
    }
    if !outcome.unvaried.isEmpty {
      addUnvaried(outcome.unvaried)
      outcome.unvaried = []
    }
    if !outcome.sometimes.isEmpty {
      addSometimes(outcome.sometimes)
      outcome.sometimes = []
    }
    mostDecisions = max(mostDecisions, choices.count)
    if outcome.inconclusive != nil, outcome.failure == nil { inconclusiveRuns += 1 }
    hashes.insert(SearchScheduler.hash(of: choices))
    for failure in outcome.failures.prefix(keepsAllFailures ? .max : 1) {
      add(ViolatedCheck(failure.check, count: 1, schedule: Schedule(choices), nearest: runs))
    }
    let fingerprint = outcome.fingerprint
    if let place = places[fingerprint] {
      groups[place].count += 1
      if groups[place].approach(choices, runs) { groups[place].outcome = outcome }
    } else {
      begin(
        Group(
          count: 1,
          schedule: Schedule(choices),
          nearest: runs,
          outcome: outcome,
          first: runs,
          fingerprint: fingerprint,
          sample: isRandomised ? sample.runs : nil
        )
      )
    }
    if isRandomised { sample.runs += 1 }
    runs += 1
  }

  /// Keeps a new group if there is room, or if it is the first one of inconclusive runs, which end a search in a test.
  package mutating func begin(_ group: Group) {
    let isFirstInconclusive =
      group.outcome.inconclusive != nil && !groups.contains { $0.outcome.inconclusive != nil }
    guard groups.count >= Self.mostGroups, !isFirstInconclusive else {
      places[group.fingerprint] = groups.count
      groups.append(group)
      runsAtNews = group.first + 1
      return
    }
    runsInOthers += group.count
    if others.add(group.fingerprint, isSingle: group.isSingle) { runsAtNews = group.first + 1 }
  }

  /// Removes all groups, and returns them.
  mutating func removeGroups() -> [Group] {
    defer { (groups, places) = ([], [:]) }
    return groups
  }

  /// Restores the groups that `removeGroups` has removed.
  mutating func restore(_ groups: [Group]) {
    self.groups = groups
    places.reserveCapacity(groups.count)
    for (place, group) in groups.enumerated() { places[group.fingerprint] = place }
  }

  /// Adds work outside of virtual time.
  package mutating func addOutside(_ work: [String]) {
    for work in work where outside.count < Self.mostOutside && !outside.contains(work) {
      outside.append(work)
    }
  }

  /// Adds what no schedule varies.
  package mutating func addUnvaried(_ new: [String]) {
    for text in new where unvaried.count < Self.mostOutside && !unvaried.contains(text) {
      unvaried.append(text)
    }
  }

  /// Adds violations of a check.
  package mutating func add(_ violated: ViolatedCheck) {
    if let place = violatedChecks.firstIndex(where: { $0.check == violated.check }) {
      violatedChecks[place].count += violated.count
      violatedChecks[place].approach(violated.schedule, violated.nearest)
    } else if violatedChecks.count < Self.mostViolatedChecks {
      violatedChecks.append(violated)
    } else {
      hasUnkeptFailures = true
    }
  }
}

/// Runs with a common property. The schedule of the one that deviates least is kept.
protocol Approached {
  var schedule: Schedule { get set }
  var nearest: Int { get set }
}

extension Approached {
  /// Keeps a run if it deviates less than the kept one. Of equal runs, the first is kept.
  mutating func approach(_ choices: [Int], _ run: Int) -> Bool {
    guard isFarther(than: SearchScheduler.deviations(of: choices), run) else { return false }
    (schedule, nearest) = (Schedule(choices), run)
    return true
  }

  /// Keeps a run if it deviates less than the kept one. Of equal runs, the first is kept.
  @discardableResult
  mutating func approach(_ other: Schedule, _ run: Int) -> Bool {
    guard isFarther(than: other.deviations, run) else { return false }
    (schedule, nearest) = (other, run)
    return true
  }

  private func isFarther(than deviations: Int, _ run: Int) -> Bool {
    let own = schedule.deviations
    return deviations < own || deviations == own && run < nearest
  }
}

extension Findings.Group: Approached {}
extension Findings.ViolatedCheck: Approached {}
