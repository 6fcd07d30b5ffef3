import RehearsalBase

/// A recording drawn as SVG: one file without scripts, fonts or links, for documents and reviews.
///
/// The same lanes, bars and marks as in the text timeline. Each of them has a title, which browsers
/// show beside the pointer; the description of the whole picture says in words how each lane ended.
/// Everything from outside is escaped, and the same recording gives the same bytes.
public struct SVGTimeline: Sendable {
  /// How wide the picture is, in points. At least 320.
  public let width: Int
  /// Which colours it has.
  public let theme: Theme
  /// What it is called, above the lanes; nothing if empty.
  public let title: String
  /// The events that stand where the one before them does.
  var together: Set<Int> = []

  /// Which colours a picture has.
  public enum Theme: Sendable, Hashable, CaseIterable {
    case light, dark
    /// As the reader prefers.
    case auto
  }

  /// A way to draw; a width below 320 points counts as 320.
  public init(width: Int = 960, theme: Theme = .auto, title: String = "") {
    self.width = max(320, width)
    self.theme = theme
    self.title = title
  }

  /// The picture, a complete XML document that ends in a line end.
  public func text(
    of recording: Recording,
    _ excerpt: Excerpt = Excerpt(),
    pointingAt pointer: Pointer? = nil
  ) -> String {
    let model = TimelineModel(recording, excerpt, together: together)
    return SVGPicture(model, of: recording, as: self, pointer: pointer).text
  }
}
