/// A path with places to fill in: `/users/{id}/posts`, `/files/{rest...}`.
public struct PathTemplate: Sendable, Hashable {
  public var segments: [Segment]

  public enum Segment: Sendable, Hashable {
    case literal(String)
    /// One segment, echoed by this name.
    case capture(String)
    /// All the segments that are left, none included; only as the last.
    case rest(String)
  }

  public init(segments: [Segment]) {
    self.segments = segments
  }
}
