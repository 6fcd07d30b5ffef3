/// What of a recording is drawn: which lanes, and from when on.
public struct Excerpt: Sendable, Equatable {
  /// The members to draw, in this order, each with the requests that it made; all if nil. Unknown names
  /// are left out, repeated ones count once, and a name that was used again has several lanes.
  public var names: [String]?
  /// Only what happened so long before the end of the recording; everything if nil. What began
  /// earlier is drawn from there on.
  public var last: Duration?

  /// An excerpt; without arguments the whole recording.
  public init(names: [String]? = nil, last: Duration? = nil) {
    self.names = names
    self.last = last
  }

  /// When the picture begins.
  func start(in recording: Recording) -> Duration {
    last.map { max(.zero, recording.end - $0) } ?? .zero
  }
}
