/// The part of a recording to draw: its lanes and its start.
public struct Excerpt: Sendable, Equatable {
  /// The members to draw, in this order, each with its requests; nil for all. Unknown names are
  /// ignored and repeated ones count once. A name that was used again has several lanes.
  public var names: [String]?
  /// The time before the recording's end to draw, nil for everything. Attempts that began earlier
  /// are drawn from the left edge.
  public var last: Duration?

  /// Creates an excerpt; without arguments, it is the whole recording.
  public init(names: [String]? = nil, last: Duration? = nil) {
    self.names = names
    self.last = last
  }

  /// Returns the time of the left edge.
  func start(in recording: Recording) -> Duration {
    last.map { max(.zero, recording.end - $0) } ?? .zero
  }
}
