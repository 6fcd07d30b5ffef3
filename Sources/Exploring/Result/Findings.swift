/// What a search has found.
///
/// What parts of a search have found can be appended to each other, in the order of their runs: it comes to the same
/// as what one search through all of them finds, whichever way it was cut.
public struct Findings: Sendable, Codable {
  /// Runs that somebody could not tell apart.
  public struct Group: Sendable, Codable {
    /// How many.
    public package(set) var count: Int
    /// The schedule of the one among them that deviates least from a plain run.
    public package(set) var schedule: Schedule
    /// The number of that run.
    package var nearest: Int
    /// What that run came to.
    public package(set) var outcome: RunOutcome
    /// The number of the first run, from 0.
    public package(set) var first: Int
    /// What they have in common, as a number.
    package let fingerprint: UInt64

    package init(
      count: Int,
      schedule: Schedule,
      nearest: Int,
      outcome: RunOutcome,
      first: Int,
      fingerprint: UInt64
    ) {
      self.count = count
      self.schedule = schedule
      self.nearest = nearest
      self.outcome = outcome
      self.first = first
      self.fingerprint = fingerprint
    }
  }

  /// The runs that violate a check.
  package struct ViolatedCheck: Sendable, Codable {
    package let check: CheckID
    package var count: Int
    /// The schedule of the one among them that deviates least from a plain run.
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
    /// The shortest schedule that was found for it.
    public let schedule: Schedule
    /// The result of the run by that schedule.
    public let outcome: RunOutcome

    /// What has to hold.
    public var rule: String { check.text }
  }

  /// Why a search ended.
  public enum End: String, Sendable, Codable {
    /// All orders of suspension points and executor hops were tried, with all values that the scenario leaves open.
    /// Synchronous code is not interrupted. If `assumesIsolation` is true, this holds if tasks share state only
    /// through actors.
    case complete
    /// Nothing is left to try, but the search left something out: values of a range, values that no run asked for,
    /// orders, work outside of virtual time, or the rest of a run that was stopped.
    case partial
    /// As many runs as were asked for.
    case budget
    /// Nothing new had come for long.
    case nothingNew
    /// The first failure.
    case failure
    /// A run came to something else the second time.
    case nondeterministic = "nondeterministic"
    /// Somebody stopped it, or time was up.
    case stopped
  }

  /// How many runs there were, the plain one included.
  public package(set) var runs = 0
  /// The number of inconclusive runs without a violation.
  public package(set) var inconclusiveRuns = 0
  /// How many were done twice, without the plain one.
  public package(set) var checked = 0
  /// Why it ended.
  public package(set) var end: End {
    get { isExhausted && leavesSomethingOut ? .partial : reason }
    set { reason = newValue == .partial ? .complete : newValue }
  }
  private var reason = End.budget
  private var leavesSomethingOut: Bool {
    leavesValuesOut || missesOrders || inconclusiveRuns > 0 || !outside.isEmpty
      || !openChoices.unasked.isEmpty || hasUnkeptFailures || isEndless
      || firstPartLeavesSomethingOut
      || groups.contains { $0.outcome.inconclusive != nil }
  }
  /// Whether the first part of a search left something out. That part left no runs for this part.
  private var firstPartLeavesSomethingOut = false
  /// Whether nothing is left to try.
  package var isExhausted: Bool { reason == .complete }
  /// Whether orders were left out because tasks are assumed to share state only through actors, the main actor among
  /// them: that nonisolated code of one task ran before a step of another task.
  public package(set) var assumesIsolation = false
  /// The groups, in the order in which they were met, as many as are kept.
  public package(set) var groups: [Group] = []
  /// How many runs were in groups that were met when there were too many to keep them.
  public package(set) var runsInOthers = 0
  /// Whether schedules were tried one after the other, and not by chance.
  public package(set) var isInOrder = false
  /// How many runs, the plain one included, came in order before others were chosen in another way.
  package var runsInOrder = 0
  /// How probable it is that a run by chance goes like one of those that were tried one after the other, from 0 to 1;
  /// nil where that is not known, or they were not.
  public package(set) var share: Double?
  /// Whether, of values that lie in a row, only those were tried at which something happens, and one between each
  /// two of them.
  public package(set) var leavesValuesOut = false
  /// Whether not all orders were tried: hops between executors are no scheduling points with this toolchain or on this
  /// platform, the program does not notice which steps act on others, or a task yields again and again.
  public package(set) var missesOrders = false
  /// Whether there were more different failures than are kept, so that some are not listed.
  package var hasUnkeptFailures = false
  /// Work outside of virtual time, which no schedule varies: work for Dispatch, a run loop or a thread, actions of
  /// other threads on the tasks of a run, and random numbers. Each once, at most 100.
  public package(set) var outside: [String] = []
  /// Whether runs would never come to their end, so that all schedules are those of what was performed.
  package var isEndless = false
  /// Baseline failures, which are ignored.
  package var ignored: [Violation] = []
  /// The `schedule` commands in sourced files that the default schedule met and that the search ignores.
  package var schedulesLeftOut: [String] = []
  /// Digests of the files that the default schedule has read, by their paths.
  package var readings: [String: String] = [:]
  /// The values that the script leaves open, and which of them some run has asked for.
  package var openChoices = OpenChoices()
  /// The schedule of a run that came to something else the second time.
  public package(set) var nondeterministicSchedule: Schedule?
  /// The most decisions of a run.
  public package(set) var mostDecisions = 0
  /// The violated checks, each once.
  public package(set) var failures: [Failure] = []
  /// The violated checks in the order of their first violations.
  package var violatedChecks: [ViolatedCheck] = []

  /// Where a group is among those that are kept, by its number.
  var places: [UInt64: Int] = [:]
  /// The numbers of groups that are not kept.
  package var others: Set<UInt64> = []
  /// Numbers for the schedules that were tried.
  package var hashes: Set<UInt64> = []
  package var sumOfGuesses = ExactSum()
  package var guesses = 0
  /// After how many runs something new came last.
  package var runsAtNews = 0

  /// So many groups are kept.
  package static let mostGroups = 10_000
  /// Maximum number of kinds of work outside of virtual time that are named.
  package static let mostOutside = 100
  /// Maximum number of violated checks that are distinguished.
  package static let mostViolatedChecks = 1_000
  /// So many schedules, and so many groups that are not kept, are told apart.
  static let mostHashes = 4_000_000

  /// Nothing yet.
  package init(end: End = .budget) { self.end = end }

  /// The findings of a later part of a search, if the first part has left no runs for it.
  package var ofLaterPart: Findings {
    var later = Findings(end: end)
    later.firstPartLeavesSomethingOut = leavesSomethingOut
    later.assumesIsolation = assumesIsolation
    later.isEndless = isEndless
    later.readings = readings
    later.missesOrders = missesOrders
    later.leavesValuesOut = leavesValuesOut
    return later
  }

  /// How many different schedules were tried; none is counted beyond a few million.
  public var schedules: Int { max(hashes.count, unlistedSchedules) }
  /// How many there were where nobody says which, as in the report of a whole search.
  package var unlistedSchedules = 0

  /// How many groups there are, those included that are not kept; none is counted beyond a few million.
  public var behaviours: Int { groups.count + others.count }

  /// Whether a run came to something else the second time.
  public var isNondeterministic: Bool { nondeterministicSchedule != nil }

  /// Whether there is more than was tried, and nothing has ended the search but its budget.
  package var isUndecided: Bool { end == .budget || isExhausted && missesOrders }

  /// How many runs brought nothing new since something last did.
  package var runsSinceNews: Int { runs - runsAtNews }

  /// How many schedules there are, about, by what those met that were chosen by chance; nil where none was.
  public var guessedSchedules: Double? {
    guesses == 0 ? nil : max(sumOfGuesses.value / Double(guesses), Double(schedules))
  }

  /// Counts a run in, with its first failure or with all of them.
  mutating func add(
    _ outcome: RunOutcome,
    _ scheduler: SearchScheduler,
    isRandom: Bool,
    keepsAllFailures: Bool
  ) {
    if isRandom {
      sumOfGuesses.add(scheduler.guessedSchedules)
      guesses += 1
    }
    add(outcome, scheduler.choices, keepsAllFailures: keepsAllFailures)
  }

  /// What a single run has come to that could not tell itself.
  ///
  /// - Parameters:
  ///   - outcome: what somebody else knows of it.
  ///   - choices: what was chosen until it was lost.
  package init(lost outcome: RunOutcome, choices: [Int]) {
    add(outcome, choices, keepsAllFailures: true)
  }

  private mutating func add(_ outcome: RunOutcome, _ choices: [Int], keepsAllFailures: Bool) {
    var outcome = outcome
    if !outcome.openChoices.isEmpty {
      openChoices.merge(outcome.openChoices)
      outcome.openChoices = OpenChoices()
    }
    if !outcome.outside.isEmpty {
      addOutside(outcome.outside)
      outcome.outside = []
    }
    mostDecisions = max(mostDecisions, choices.count)
    if outcome.inconclusive != nil, outcome.failure == nil { inconclusiveRuns += 1 }
    if hashes.count < Self.mostHashes { hashes.insert(SearchScheduler.hash(of: choices)) }
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
          fingerprint: fingerprint
        )
      )
    }
    runs += 1
  }

  /// Keeps a group that was not met before, where there is room.
  package mutating func begin(_ group: Group) {
    guard groups.count >= Self.mostGroups else {
      places[group.fingerprint] = groups.count
      groups.append(group)
      runsAtNews = group.first + 1
      return
    }
    runsInOthers += group.count
    guard others.count < Self.mostHashes, others.insert(group.fingerprint).inserted else { return }
    runsAtNews = group.first + 1
  }

  /// Adds work outside of virtual time.
  package mutating func addOutside(_ work: [String]) {
    for work in work where outside.count < Self.mostOutside && !outside.contains(work) {
      outside.append(work)
    }
  }

  /// Adds violations of a check.
  package mutating func add(_ violated: ViolatedCheck) {
    if let place = violatedChecks.firstIndex(where: { $0.check == violated.check }) {
      violatedChecks[place].count += violated.count
      violatedChecks[place].approach(violated.schedule.choices, violated.nearest)
    } else if violatedChecks.count < Self.mostViolatedChecks {
      violatedChecks.append(violated)
    } else {
      hasUnkeptFailures = true
    }
  }
}

/// Several runs, of which one deviates least.
protocol Approached {
  var schedule: Schedule { get set }
  var nearest: Int { get set }
}

extension Approached {
  /// Takes a run for the nearest one, if it is: of those that deviate as little it is the first.
  @discardableResult
  mutating func approach(_ choices: [Int], _ run: Int) -> Bool {
    let deviations = (SearchScheduler.deviations(of: choices), schedule.deviations)
    guard deviations.0 < deviations.1 || deviations.0 == deviations.1 && run < nearest else {
      return false
    }
    schedule = Schedule(choices)
    nearest = run
    return true
  }
}

extension Findings.Group: Approached {}
extension Findings.ViolatedCheck: Approached {}
