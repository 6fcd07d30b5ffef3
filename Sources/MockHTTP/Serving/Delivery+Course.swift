/// Decides how many bytes of a response a client reads, and whether the body is complete, cut, reset or malformed.
extension Exchange.Delivery {
  /// The end of a response for a client that stops reading at the announced length.
  public enum Conclusion: Sendable, Hashable {
    /// The client gets all that the head announces.
    case complete
    /// The connection is closed before the body is whole.
    case truncated
    /// The connection is reset before the body is whole.
    case reset
    /// Nothing more comes, and the connection stays open.
    case silent
    /// The head announces a malformed length, so a client cannot read the body.
    case malformed
  }

  /// The number of bytes that such a client reads, and the conclusion. If the head announces less
  /// than the body has, the rest is cut off. A connection that fails after the announced bytes has
  /// no effect.
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

  /// Without an announced length, a client knows only at the end that the body is complete.
  private func course(upTo count: Int, _ end: Conclusion) -> (bytes: Int, conclusion: Conclusion) {
    let sent = min(max(0, count), body.count)
    guard let announcedBytes, sent >= announcedBytes else { return (sent, end) }
    return (announcedBytes, .complete)
  }
}
