extension Exchange.Delivery {
  /// How it ends for a client that reads as much as the head announces.
  public enum Conclusion: Sendable, Hashable {
    /// All comes that the head announces.
    case complete
    /// The connection is closed before the body is whole.
    case truncated
    /// The connection is reset before the body is whole.
    case reset
    /// Nothing more comes, and the connection stays open.
    case silent
    /// The head announces a length that is none, so nobody can read on.
    case malformed
  }

  /// How many bytes of the body such a client reads, and what happens then: a head that announces less
  /// than the body cuts the body off, and a connection that ends when all has come ends nothing.
  public var course: (bytes: Int, conclusion: Conclusion) {
    if isMalformed { return (0, .malformed) }
    return switch ending {
    case .complete: (body.count, .complete)
    case .claiming: course(upTo: body.count, .truncated)
    case .closed(let count): course(upTo: count, .truncated)
    case .reset(let count): course(upTo: count, .reset)
    case .silent(let count): course(upTo: count, .silent)
    }
  }

  /// Without an announced length nobody knows that all has come before the end is said.
  private func course(upTo count: Int, _ end: Conclusion) -> (bytes: Int, conclusion: Conclusion) {
    let sent = min(max(0, count), body.count)
    guard let announcedBytes, sent >= announcedBytes else { return (sent, end) }
    return (announcedBytes, .complete)
  }
}
