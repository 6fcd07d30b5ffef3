import RehearsalBase

/// A recording as SVG: one file without scripts, fonts or links, for documents and reviews.
///
/// It has the same lanes, bars and marks as the text timeline. Each has a title, which browsers
/// show as a tooltip. The description of the picture gives each lane's final state. All user input
/// is escaped, and the same recording gives the same bytes.
public struct SVGTimeline: Sendable {
  /// The width in points, at least 320.
  public let width: Int
  /// The colour theme.
  public let theme: Theme
  /// The title above the lanes, empty for none.
  public let title: String
  /// Whether the events of one instant are kept apart, in their order. The time axis is not linear
  /// then.
  public var isWidened = false
  /// The events that share the position of the preceding event.
  var together: Set<Int> = []

  /// A colour theme.
  public enum Theme: Sendable, Hashable, CaseIterable {
    case light, dark
    /// Follows the reader's preference.
    case auto
  }

  /// Creates a style; a width below 320 points becomes 320.
  public init(width: Int = 960, theme: Theme = .auto, title: String = "") {
    self.width = max(320, width)
    self.theme = theme
    self.title = title
  }

  /// Returns a complete XML document that ends with a line end.
  public func text(
    of recording: Recording,
    _ excerpt: Excerpt = Excerpt(),
    pointingAt pointer: Pointer? = nil
  ) -> String {
    let model = TimelineModel(recording, excerpt, together: together, isWidened: isWidened)
    return SVGPicture(model, of: recording, as: self, pointer: pointer).text
  }
}
