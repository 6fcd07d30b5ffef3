/// What a search has found.
public struct Findings: Sendable {
  /// Runs that somebody could not tell apart.
  public struct Group: Sendable {
    /// How many.
    public internal(set) var count: Int
    /// The schedule of the one among them that deviates least from a plain run.
    public internal(set) var schedule: Schedule
    /// What the run came to.
    public let outcome: RunOutcome
    /// The number of the first run, from 0.
    public let first: Int
  }

  /// A rule that was broken.
  public struct Failure: Sendable {
    /// Which one.
    public let rule: String
    /// In how many runs.
    public let count: Int
    /// The shortest schedule that was found for it.
    public let schedule: Schedule
    /// What the run by that schedule comes to.
    public let outcome: RunOutcome
  }

  /// Why a search ended.
  public enum End: String, Sendable {
    /// All schedules were tried.
    case complete
    /// As many runs as were asked for.
    case budget
    /// Nothing new had come for long.
    case nothingNew
    /// The first failure.
    case failure
    /// A run came to something else the second time.
    case unsteady
    /// Somebody stopped it, or time was up.
    case stopped
  }

  /// How many runs there were, the plain one included.
  public internal(set) var runs = 0
  /// How many of them were cut.
  public internal(set) var cuts = 0
  /// How many were done twice.
  public internal(set) var checked = 0
  /// Why it ended.
  public internal(set) var end = End.budget
  /// The groups, in the order in which they were met.
  public private(set) var groups: [Group] = []
  /// How many different schedules were tried; none is counted beyond a few million.
  public var schedules: Int { hashes.count }
  /// Which share of all schedules was tried, from 0 to 1, where that can be told.
  public internal(set) var share: Double?
  /// Whether, of values that lie in a row, only those were tried at which something happens, and one between each
  /// two of them.
  public internal(set) var leavesValuesOut = false
  /// The schedule of a run that came to something else the second time.
  public internal(set) var unsteady: Schedule?
  /// The most decisions of a run.
  public private(set) var mostDecisions = 0

  private var places: [UInt64: Int] = [:]
  private var hashes: Set<UInt64> = []
  private var sumOfGuesses = 0.0
  private var guesses = 0
  private(set) var runsSinceNews = 0

  private static let mostHashes = 4_000_000

  /// Whether a run came to something else the second time.
  public var isNondeterministic: Bool { unsteady != nil }

  /// What is wrong, each rule that was broken once.
  public internal(set) var failures: [Failure] = []

  /// How many schedules there are, about, by what those met that were chosen by chance; nil where none was.
  public var guessedSchedules: Double? {
    guesses == 0 ? nil : max(sumOfGuesses / Double(guesses), Double(schedules))
  }

  mutating func add(_ outcome: RunOutcome, _ decisions: Decisions, isByChance: Bool) {
    runs += 1
    runsSinceNews += 1
    if outcome.cut != nil { cuts += 1 }
    mostDecisions = max(mostDecisions, decisions.choices.count)
    if isByChance {
      sumOfGuesses += decisions.guessedSchedules
      guesses += 1
    }
    if hashes.count < Self.mostHashes { hashes.insert(decisions.hash) }
    let fingerprint = outcome.fingerprint
    guard let place = places[fingerprint] else {
      places[fingerprint] = groups.count
      groups.append(
        Group(count: 1, schedule: decisions.schedule, outcome: outcome, first: runs - 1)
      )
      runsSinceNews = 0
      return
    }
    groups[place].count += 1
    if decisions.deviations < groups[place].schedule.deviations {
      groups[place].schedule = decisions.schedule
    }
  }
}
