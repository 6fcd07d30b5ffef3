import RehearsalBase

/// A recording as one HTML file to look around in: the picture, and the transcript beside it.
///
/// The file needs no network and loads nothing: a content security policy forbids it, and lets no script
/// run but the page's own. It can be panned, zoomed, filtered and read by keys alone. Its data is the
/// recording as JSON, in the element `recording`, so that programs can read the file too.
public struct HTMLTimeline: Sendable {
  /// What the page is called.
  public let title: String
  /// The events that stand where the one before them does.
  var together: Set<Int> = []

  /// A page with that title, `Timeline` if it is empty.
  public init(title: String = "") {
    self.title = title.isEmpty ? "Timeline" : title
  }

  /// The page, complete and ending in a line end. The same recording gives the same bytes.
  public func text(
    of recording: Recording,
    _ excerpt: Excerpt = Excerpt(),
    pointingAt pointer: Pointer? = nil
  ) -> String {
    let story = Story(recording, excerpt)
    return HTMLPage(
      title: title.escapingMarkup,
      recording: recording.json,
      picture: HTMLPicture(story, pointer: pointer, together: together).json,
      isEmpty: story.lanes.isEmpty,
      note: story.note()
    ).text
  }
}
