import RehearsalBase

/// What one run came to.
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
  /// What else is wrong with the run; each rule is in one of its failures only.
  package var otherFailures: [Violation] = []
  /// Why the run was ended before its time, so that it proves nothing; nil where it was not.
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
      && one.inconclusive == other.inconclusive
  }

  /// A number for what was seen, and for what failed: FNV-1a, the same on every machine.
  package var fingerprint: UInt64 {
    var hash = FNV1a()
    func add(_ text: String) {
      hash.combine(text.utf8)
      hash.combine(0xFF as UInt8)
    }
    for line in counted { add(line) }
    for failure in failures { add(failure.rule) }
    if let inconclusive { add(inconclusive) }
    return hash.value
  }
}

extension RunOutcome {
  /// All that is wrong with the run.
  package var failures: [Violation] { (failure.map { [$0] } ?? []) + otherFailures }

  /// Returns how the run breaks a rule; nil if it does not.
  package func failure(of rule: String) -> Violation? { failures.first { $0.rule == rule } }
}

/// Why a run is wrong.
public struct Violation: Error, Sendable, Equatable, Codable {
  /// What was broken, in words that are the same each time it is: by them failures are told apart.
  public let rule: String
  /// What happened.
  public let what: String
  /// Where the rule is written; nil where that is not known.
  public let place: SourcePlace?

  /// A failure.
  public init(rule: String, what: String, place: SourcePlace? = nil) {
    self.rule = rule
    self.what = what
    self.place = place
  }
}

extension Violation {
  /// The same of another rule.
  package func with(rule: String) -> Violation { Violation(rule: rule, what: what, place: place) }

  /// What happened, but for values, which differ where the same happens to others: numbers with their units, and what
  /// stands in quotes, brackets or braces. Why something cannot be decoded stands in quotes, too, and is no value.
  package var kind: String {
    var kind = ""
    var (isQuoted, isEscaped, isReason, depth) = (false, false, false, 0)
    var isInNumber = false
    for character in what {
      isInNumber = character.isNumber || isInNumber && character.isLetter
      let wasEscaped = isEscaped
      isEscaped = isQuoted && !isEscaped && character == "\\"
      switch character {
      case "\"" where !wasEscaped:
        isReason = !isQuoted && kind.hasSuffix("decoding ")
        isQuoted.toggle()
      case "[" where !isQuoted, "{" where !isQuoted: depth += 1
      case "]" where !isQuoted, "}" where !isQuoted: depth = max(0, depth - 1)
      case ".": continue
      default:
        if depth == 0, !isQuoted || isReason, !isInNumber { kind.append(character) }
      }
    }
    return kind
  }
}
