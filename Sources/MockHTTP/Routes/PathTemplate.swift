import RehearsalBase

/// A path with placeholders: `/users/{id}/posts`, `/files/{rest...}`.
///
/// A path is split at its slashes; then each segment's percent escapes are decoded as UTF-8.
/// Invalid escapes stay unchanged. So `%2F` is a slash inside a segment, and captures echo what the
/// client meant. Empty segments are significant: `/posts/` and `//posts` differ from `/posts`.
public struct PathTemplate: Sendable, Hashable {
  /// The decoded segments; none for `/`.
  public var segments: [Segment]

  /// A condition for one segment of a path.
  public enum Segment: Sendable, Hashable {
    /// This exact text, compared after decoding.
    case literal(String)
    /// One non-empty segment, echoed by this name.
    case capture(String)
    /// All remaining segments, possibly none; only as the last. The echo includes the slashes.
    case rest(String)
  }

  /// Creates a template from decoded segments. It does not check names, nor that a rest is last.
  public init(segments: [Segment]) {
    self.segments = segments
  }

  /// The names of the captures, in order.
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
  /// The template as text: `/users/{id}`.
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
