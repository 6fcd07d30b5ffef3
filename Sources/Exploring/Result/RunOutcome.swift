import RehearsalBase
import Workers

/// The result of one run, and whether two runs are equal, so that they have the same behaviour.
public struct RunOutcome: Sendable, Equatable, Codable {
  /// The values that a script leaves open, as far as the run met them.
  package var openChoices = OpenChoices()

  /// Work outside of virtual time, which no schedule varies, as text; without duplicates.
  package var outside: [String] = []

  /// What no schedule varies although code depends on it, as noun phrases; without duplicates.
  package var unvaried: [String] = []

  /// The `sometimes` assertions of the run. Each held in this run, or in none.
  package var sometimes: [SometimesAssertion] = []

  /// The commands that the run has generated, if it is a failure of a search that generates commands.
  package var generated: GeneratedRun?

  /// The output of the run, line by line.
  public var seen: [String]
  /// The output without details that may differ: runs with equal lines have the same behaviour.
  public var counted: [String]
  /// The violation that makes the run fail; nil if it does not fail.
  public var failure: Violation?
  /// Further violations of the run, one for each check.
  package var otherFailures: [Violation] = []
  /// The stage's time at the end of the run; nil if unknown.
  package var end: Duration?
  /// The reason why the run is inconclusive: it was stopped before its end. Nil if it is
  /// conclusive.
  public var inconclusive: String?

  /// Whether it ended, and no check failed.
  package var passes: Bool { failure == nil && inconclusive == nil }

  /// Whether it has nothing but output.
  var isPlain: Bool {
    failure == nil && otherFailures.isEmpty && inconclusive == nil && generated == nil && end == nil
      && openChoices.isEmpty && outside.isEmpty && unvaried.isEmpty && sometimes.isEmpty
  }

  /// Makes an outcome, by default without a failure.
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
  /// runs, and a search with such work is never complete. `unvaried` is not compared for the same reason. Open values are not
  /// compared, because runs with the same choices ask for the same ones.
  public static func == (one: RunOutcome, other: RunOutcome) -> Bool {
    one.seen == other.seen && one.counted == other.counted && one.failures == other.failures
      && one.inconclusive == other.inconclusive && one.end == other.end
      && one.sometimes == other.sometimes
  }

  /// A hash of the output and the failures: FNV-1a, the same on every machine.
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
  /// All violations of the run.
  package var failures: [Violation] { (failure.map { [$0] } ?? []) + otherFailures }

  /// Returns the violation of a check; nil if the check holds.
  package func violation(of check: CheckID) -> Violation? { failures.first { $0.check == check } }
}
