package import Staging
package import Workers

/// An assertion or check that does not hold in one run.
public struct Violation: Error, Sendable, Hashable, Codable {
  /// The assertion or check.
  package let check: CheckID
  /// The actual value.
  package let actual: ActualValue
  /// The position of the check in Swift code; nil if unknown.
  public let place: SourcePlace?
  /// How the run ended its process after the violation; nil if it did not.
  package var crash: WorkerEnd.Cause?
  /// Where it crashed then; nil if it did not, or if that is unknown.
  package var crashReport: CrashReport?

  package init(_ check: CheckID, _ actual: ActualValue, place: SourcePlace? = nil) {
    self.check = check
    self.actual = actual
    self.place = place
  }

  /// Makes a violation of a rule in your own words.
  ///
  /// - Parameters:
  ///   - rule: the requirement. Violations of the same rule are one finding.
  ///   - what: the actual situation.
  ///   - place: the position of the rule.
  public init(rule: String, what: String, place: SourcePlace? = nil) {
    self.init(.condition(rule), .text(what), place: place)
  }
}

extension Violation {
  /// Returns the same violation of another check.
  package func of(_ check: CheckID) -> Violation {
    var violation = Violation(check, actual, place: place)
    (violation.crash, violation.crashReport) = (crash, crashReport)
    return violation
  }

  /// Returns whether the same check is violated in the same way, apart from values.
  package func isLike(_ other: Violation) -> Bool {
    check == other.check && (crash == nil) == (other.crash == nil)
      && actual.withoutValues == other.actual.withoutValues
  }
}
