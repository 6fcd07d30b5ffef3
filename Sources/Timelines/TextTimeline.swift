import Script

/// A recording drawn for a terminal: a lane for each member, a bar for each attempt.
///
///              0s        1s        2s        3s
///              ├─────────┼─────────┼─────────┤
///     profile  ┣#1━━━━━━━┫┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈○
///                        ┣#2━━━━━━━✓              loaded "new"
///     ┫ replaced  ✓ answer  ○ too late, dropped  ┈ no longer counts
///
/// At the right stands the state that each lane is left in. Things that happen at one instant
/// stand side by side in their order, where there is room; long stretches in which nothing
/// happens are folded, `╱58s╱`.
public struct TextTimeline: Sendable {
  /// No line is wider, in columns. At least 24.
  public let width: Int
  /// Which characters it draws with.
  public let style: Style

  /// The characters to draw with.
  public enum Style: Sendable, Hashable {
    /// Box drawing and signs, each a column wide.
    case unicode
    /// The same with ASCII only; names and values stay as they are.
    case ascii
  }

  /// A style to draw in; of the terminal's columns `width` may be used, or 24 if that is more.
  public init(width: Int = 80, style: Style = .unicode) {
    self.width = max(24, width)
    self.style = style
  }

  /// The picture, without indentation and line ends; never empty.
  ///
  /// `names` says which lanes, in which order; all of them if nil. Unknown names are left out,
  /// repeated ones count once, and a name that was used again after `forget` has two lanes.
  public func lines(of recording: Recording, lanes names: [String]? = nil) -> [String] {
    let all = Array(recording.lanes.indices)
    let indices = names.map { Self.indices(of: $0, in: recording) } ?? all
    guard !indices.isEmpty else {
      return [cut(all.isEmpty ? "nothing to draw: no member yet" : "no such member to draw")]
    }
    let story = Story(recording, lanes: indices)
    return story.moments.isEmpty
      ? drawStill(story)
      : TextPicture(story, end: recording.end, width: width, style: style).lines
  }

  private static func indices(of names: [String], in recording: Recording) -> [Int] {
    var byName: [String: [Int]] = [:]
    for (index, lane) in recording.lanes.enumerated() {
      byName[lane.name, default: []].append(index)
    }
    return names.flatMap { byName.removeValue(forKey: $0) ?? [] }
  }

  /// Lanes in which nothing happened.
  private func drawStill(_ story: Story) -> [String] {
    let names = NameColumn(story.lanes.map(\.name), width: width, style: style)
    return story.lanes.map { cut(names[$0.name] + $0.state.escapingControls) }
      + [cut("nothing happened yet")]
  }

  private func cut(_ line: String) -> String {
    line.cut(toColumns: width, ellipsis: style.ellipsis)
  }
}

extension TextTimeline.Style {
  var ellipsis: String {
    switch self {
    case .unicode: "…"
    case .ascii: "..."
    }
  }
}

/// The names at the left, all as wide as the widest.
struct NameColumn {
  let width: Int
  private let style: TextTimeline.Style

  init(_ names: [String], width: Int, style: TextTimeline.Style) {
    let widest = names.map(\.escapingControls.widthInColumns).max() ?? 0
    self.width = min(widest, width / 4) + 2
    self.style = style
  }

  subscript(name: String) -> String {
    let text = name.escapingControls.cut(toColumns: width - 2, ellipsis: style.ellipsis)
    return text + String(repeating: " ", count: width - text.widthInColumns)
  }

  var blank: String { String(repeating: " ", count: width) }
}
