/// Which requests are answered, and how.
public struct Route: Sendable, Hashable {
  public var pattern: RequestPattern
  /// What is answered, one after the other. Never empty.
  public var answers: [ScriptedAnswer]
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
