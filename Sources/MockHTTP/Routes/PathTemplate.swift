import RehearsalBase

/// A path with places to fill in: `/users/{id}/posts`, `/files/{rest...}`.
///
/// A path is split at its slashes first, then each segment's percent escapes are decoded as UTF-8; one
/// that cannot be decoded stays as it is written. So `%2F` is a slash within a segment, and captures echo
/// what the client meant. Empty segments count: `/posts/` and `//posts` are other paths than `/posts`.
public struct PathTemplate: Sendable, Hashable {
  /// What stands between the slashes, decoded; none for `/`.
  public var segments: [Segment]

  /// What one part of a path has to be.
  public enum Segment: Sendable, Hashable {
    /// Exactly this text, compared after decoding.
    case literal(String)
    /// One segment that is not empty, echoed by this name.
    case capture(String)
    /// All the segments that are left, none included; only as the last. Echoed with its slashes.
    case rest(String)
  }

  /// A template of segments that are decoded already. Names are not checked, nor that a rest comes
  /// last.
  public init(segments: [Segment]) {
    self.segments = segments
  }

  /// The names of the captures, in their order.
  public var captureNames: [String] {
    segments.compactMap { segment in
      switch segment {
      case .literal: nil
      case .capture(let name), .rest(let name): name
      }
    }
  }
}

extension PathTemplate: CustomStringConvertible {
  /// As it is written: `/users/{id}`.
  public var description: String {
    segments.isEmpty ? "/" : segments.map { "/" + Self.text(of: $0) }.joined()
  }

  private static func text(of segment: Segment) -> String {
    switch segment {
    case .literal(let text): PercentCoding.encoded(text, in: .segment)
    case .capture(let name): "{\(name)}"
    case .rest(let name): "{\(name)...}"
    }
  }
}
