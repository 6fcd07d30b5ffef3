import RehearsalBase
import Workers

/// The result of one run.
public struct RunOutcome: Sendable, Equatable, Codable {
  /// What it has met of the values that a script leaves open.
  package var openChoices = OpenChoices()

  /// Work outside of virtual time, which no schedule varies, as text; each once.
  package var outside: [String] = []

  /// What somebody would have seen, line by line.
  public var seen: [String]
  /// The same, as far as it counts: runs in which this is the same behave the same.
  public var counted: [String]
  /// Why the run is wrong; nil where it is not.
  public var failure: Violation?
  /// What else is wrong with the run; each check has one violation.
  package var otherFailures: [Violation] = []
  /// The stage's time at the end of the run; nil if unknown.
  package var end: Duration?
  /// Why the run was stopped before its end, so that it shows nothing; nil if it is conclusive.
  public var inconclusive: String?

  /// An outcome; nothing is wrong with it unless it is said.
  public init(
    seen: [String],
    counted: [String]? = nil,
    failure: Violation? = nil,
    inconclusive: String? = nil
  ) {
    self.seen = seen
    self.counted = counted ?? seen
    self.failure = failure
    self.inconclusive = inconclusive
  }

  /// Whether two runs have the same result. Work outside of virtual time is not compared: its moment differs between
  /// runs, and a search with such work is never complete. Open values are not compared, because runs with the same
  /// choices ask for the same ones.
  public static func == (one: RunOutcome, other: RunOutcome) -> Bool {
    one.seen == other.seen && one.counted == other.counted && one.failures == other.failures
      && one.inconclusive == other.inconclusive && one.end == other.end
  }

  /// A number for what was seen, and for what failed: FNV-1a, the same on every machine.
  package var fingerprint: UInt64 {
    var hash = FNV1a()
    func add(_ text: String) {
      hash.combine(text.utf8)
      hash.combine(0xFF as UInt8)
    }
    for line in counted { add(line) }
    for failure in failures { hash.combine(MessageCoding.encode(failure.check)) }
    if let inconclusive { add(inconclusive) }
    return hash.value
  }
}

extension RunOutcome {
  /// All that is wrong with the run.
  package var failures: [Violation] { (failure.map { [$0] } ?? []) + otherFailures }

  /// The violation of a check; nil if it holds.
  package func violation(of check: CheckID) -> Violation? { failures.first { $0.check == check } }
}
