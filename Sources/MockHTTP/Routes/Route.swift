/// A rule for answering requests.
///
/// If several routes match a request, one wins:
///
/// 1. A route for the request's scope beats one without a scope.
/// 2. A more specific path beats a less specific one. Compared from the left, segment by segment, a
///    literal beats a capture, a capture beats a rest, and the end of the template beats a rest.
/// 3. A route for a host beats one for any host.
/// 4. A route for a method beats one for any method. For HEAD, which routes for GET answer too, a route
///    for HEAD beats both.
/// 5. More conditions on query, header fields and body beat fewer.
/// 6. A later route beats an earlier one.
///
/// A route without remaining answers is ignored if it is set to pass, and still wins if it is set
/// to fail.
public struct Route: Sendable, Hashable {
  /// The requests that the route answers.
  public var pattern: RequestPattern
  /// The answers, in order. Never empty.
  public var answers: [ScriptedAnswer]
  /// The behaviour after the last answer.
  public var afterLast: AfterLast
  /// The member or scope that makes the request, nil for any.
  public var scope: String?

  /// The behaviour after a route's last answer.
  public enum AfterLast: Sendable, Hashable {
    /// Repeats the last answer.
    case repeatLast
    /// Repeats all answers from the first.
    case cycle
    /// Ignores the route from then on.
    case pass
    /// Fails with an error about the used-up route.
    case fail
  }

  /// Creates a route. A server requires at least one answer.
  public init(
    _ pattern: RequestPattern,
    answers: [ScriptedAnswer],
    afterLast: AfterLast = .repeatLast,
    scope: String? = nil
  ) {
    self.pattern = pattern
    self.answers = answers
    self.afterLast = afterLast
    self.scope = scope
  }
}
