/// Which requests are answered, and how.
///
/// Where several routes match a request, one wins:
///
/// 1. A route for the scope that asks beats one for all.
/// 2. The more specific path beats the less specific one: compared from the left, segment by segment, a
///    literal beats a capture, a capture beats a rest, and the end of the template beats a rest.
/// 3. A route for a host beats one for any host.
/// 4. A route for a method beats one for any method; to HEAD, which routes for GET answer too, one for
///    HEAD beats both.
/// 5. The one with more conditions on query, header fields and body beats the one with fewer.
/// 6. The one added later beats the earlier one.
///
/// A route whose answers are used up takes part no more if it passes, and still wins if it fails.
public struct Route: Sendable, Hashable {
  /// Which requests it answers.
  public var pattern: RequestPattern
  /// What is answered, one after the other. Never empty.
  public var answers: [ScriptedAnswer]
  /// What the requests get that come after the last answer was given.
  public var afterLast: AfterLast
  /// Only requests that this member or scope makes; nil for all.
  public var scope: String?

  /// What the requests get that come after the last answer was given.
  public enum AfterLast: Sendable, Hashable {
    /// The last answer again.
    case repeatLast
    /// All answers again, from the first.
    case cycle
    /// The route is used up: as if it were not there.
    case pass
    /// An error that says that the route is used up.
    case fail
  }

  /// A route that is in no server yet. A server takes none without answers.
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
