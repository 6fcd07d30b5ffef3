extension TrafficRoutes {
  /// Where a secret stood that was masked. The raw value is what the summary calls it.
  public enum SecretKind: String, Sendable, Hashable, CaseIterable {
    case header = "in headers"
    case cookie = "in cookies"
    case query = "in queries"
    case field = "in fields of bodies"
    case token = "tokens in texts"
    case user = "in front of hosts"
    /// A secret of another place, met again.
    case again = "met again elsewhere"
  }
}
