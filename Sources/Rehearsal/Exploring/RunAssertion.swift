import Exploring
import Script

/// A run assertion, such as `always` or `eventually`: checks states, counts and its deadline, and keeps the verdict.
@MainActor final class RunAssertion {
  /// The number for `forget assertion`, from 1.
  let number: Int
  /// The command that gave it.
  let text: String
  /// Number of earlier run assertions with the same text.
  let repetition: Int
  let rule: Rule
  /// The given command, which contains the run assertion.
  let given: String
  /// The sourced file and line of the command; empty if it is in no sourced file.
  let place: String
  /// The state of the session when it was given.
  let footprint: SessionFootprint
  /// The condition; nil after its member was forgotten.
  private(set) var claim: Claim?
  private(set) var verdict = Verdict.open
  /// Number of states of the member that were checked.
  private var checked = 0

  enum Rule: Equatable {
    case always, never
    /// Must hold in at least one run of a search.
    case sometimes
    /// The deadline; nil if there is none.
    case eventually(by: Duration?)
  }

  enum Claim {
    case state(StatePattern, of: any Member)
    /// A number of attempts of a member, or of requests. The second closure returns false if the
    /// log of requests has dropped some, so that the count may be too small.
    case count(ExpectedCount, of: (any Member)?, () -> Int, isExact: () -> Bool)

    var member: (any Member)? {
      switch self {
      case .state(_, of: let member): member
      case .count(_, of: let member, _, isExact: _): member
      }
    }
  }

  /// The result, with the instant at which it was known.
  enum Verdict: Equatable {
    case open
    case met(Duration)
    case violated(Duration, AssertionFinding)
    /// Its member was forgotten.
    case over(Duration)
  }

  /// Creates the run assertion and checks the present state.
  init(
    number: Int,
    text: String,
    repetition: Int,
    rule: Rule,
    claim: Claim,
    execution: CommandExecution,
    footprint: SessionFootprint
  ) {
    (self.number, self.text, self.rule, self.claim) = (number, text, rule, claim)
    self.repetition = repetition
    (given, place) = (execution.given, execution.sourceSuffix)
    self.footprint = footprint
    let now = footprint.time
    guard case .state(let pattern, of: let member) = claim else { return }
    checked = member.visitCount
    record(member.satisfies(pattern) ? now : nil, member.satisfies(pattern) ? nil : now)
  }

  /// Checks the states of the member since the last check.
  func checkStates(at now: Duration) {
    guard verdict == .open, case .state(let pattern, of: let member) = claim,
      checked != member.visitCount
    else { return }
    record(
      member.firstVisit(pattern, isSo: true, from: checked),
      member.firstVisit(pattern, isSo: false, from: checked)
    )
    checked = member.visitCount
  }

  /// Checks a count. Called at the end of an instant, because only then a count is final.
  func checkCount(at now: Duration) {
    guard verdict == .open, case .count(let count, of: _, let found, let isExact) = claim else {
      return
    }
    guard isExact() else {
      verdict = .violated(now, .countOfKept(found()))
      return
    }
    let isSo = count.admits(found())
    record(isSo ? now : nil, isSo ? nil : now)
  }

  /// Checks the deadline.
  func checkTime(at now: Duration) {
    guard verdict == .open, case .eventually(by: let deadline?) = rule, now > deadline else {
      return
    }
    verdict = .violated(deadline, .neverSo)
  }

  private func record(_ firstSo: Duration?, _ firstNot: Duration?) {
    switch rule {
    case .always: if let firstNot { verdict = .violated(firstNot, finding) }
    case .never: if let firstSo { verdict = .violated(firstSo, finding) }
    case .sometimes: if let firstSo { verdict = .met(firstSo) }
    case .eventually(let deadline):
      if let firstSo, firstSo <= deadline ?? firstSo { verdict = .met(firstSo) }
    }
  }

  /// The actual state or count.
  private var finding: AssertionFinding {
    switch claim {
    case .state(_, of: let member):
      .state(StateValue(text: member.stateText, kind: member.stateKind ?? ""), of: member.name)
    case .count(_, of: _, let found, isExact: _): .count(found())
    case nil: .neverSo
    }
  }

  /// Ends the run assertion because its member is forgotten: checks it for the last time, and
  /// violates an open `eventually`.
  func end(at now: Duration) {
    checkStates(at: now)
    checkCount(at: now)
    checkTime(at: now)
    if verdict == .open, let name = claim?.member?.name {
      if case .eventually = rule {
        verdict = .violated(now, .forgotten(name))
      } else {
        verdict = .over(now)
      }
    }
    claim = nil
  }
}
