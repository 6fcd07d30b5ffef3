import Exploring
import Script

/// Something that must hold from a moment on until the end of the run, and whether it has held so far.
@MainActor final class RunAssertion {
  /// The number for `forget judge` , from 1.
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
  /// What it is about; nil once that is gone.
  private(set) var claim: Claim?
  private(set) var verdict = Verdict.open
  /// Number of states of the member that were checked.
  private var checkedVisits = 0

  enum Rule: Equatable {
    case always, never
    /// At the latest at that instant; nil for some time.
    case eventually(by: Duration?)
  }

  enum Claim {
    case state(StatePattern, of: any Member)
    /// A number of attempts of a member, or of requests. The second closure returns false if the log of requests has
    /// dropped some, so that the count may be too small.
    case count(ExpectedCount, of: (any Member)?, () -> Int, isExact: () -> Bool)

    var member: (any Member)? {
      switch self {
      case .state(_, of: let member): member
      case .count(_, of: let member, _, isExact: _): member
      }
    }
  }

  /// Each with the instant at which it fell.
  enum Verdict: Equatable {
    case open
    case met(Duration)
    case broken(Duration, AssertionFinding)
    /// What it is about is gone.
    case over(Duration)
  }

  /// Checks the present state at once.
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
    checkedVisits = member.visitCount
    decide(member.satisfies(pattern) ? now : nil, member.satisfies(pattern) ? nil : now)
  }

  /// Checks the states that the member has had since.
  func checkStates(at now: Duration) {
    guard verdict == .open, case .state(let pattern, of: let member) = claim,
      checkedVisits != member.visitCount
    else { return }
    decide(
      member.firstVisit(pattern, isSo: true, from: checkedVisits),
      member.firstVisit(pattern, isSo: false, from: checkedVisits)
    )
    checkedVisits = member.visitCount
  }

  /// Checks a count, which must hold at the end of each instant.
  func checkCount(at now: Duration) {
    guard verdict == .open, case .count(let count, of: _, let found, let isExact) = claim else {
      return
    }
    guard isExact() else {
      verdict = .broken(now, .countOfKept(found()))
      return
    }
    let isSo = count.admits(found())
    decide(isSo ? now : nil, isSo ? nil : now)
  }

  /// Checks a deadline.
  func checkTime(at now: Duration) {
    guard verdict == .open, case .eventually(by: let deadline?) = rule, now > deadline else {
      return
    }
    verdict = .broken(deadline, .neverSo)
  }

  private func decide(_ firstSo: Duration?, _ firstNot: Duration?) {
    switch rule {
    case .always: if let firstNot { verdict = .broken(firstNot, finding) }
    case .never: if let firstSo { verdict = .broken(firstSo, finding) }
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

  /// Ends the run assertion because its member is forgotten: checks it for the last time, and violates an open
  /// `eventually`.
  func end(at now: Duration) {
    checkStates(at: now)
    checkCount(at: now)
    checkTime(at: now)
    if verdict == .open, let name = claim?.member?.name {
      if case .eventually = rule {
        verdict = .broken(now, .forgotten(name))
      } else {
        verdict = .over(now)
      }
    }
    claim = nil
  }
}
