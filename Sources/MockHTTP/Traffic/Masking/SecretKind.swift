extension TrafficRoutes {
  /// The location of a masked secret, as the summary names it. The summary prints the raw value.
  public enum SecretKind: String, Sendable, Hashable, CaseIterable {
    case header = "in headers"
    case cookie = "in cookies"
    case query = "in queries"
    case field = "in body fields"
    case token = "tokens in texts"
    case user = "before a host name"
    /// A known secret in another location.
    case again = "repeated elsewhere"
  }
}
