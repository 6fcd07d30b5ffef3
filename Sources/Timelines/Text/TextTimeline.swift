import RehearsalBase

/// A recording drawn for a terminal: a lane for each member, a bar for each attempt.
///
///              0s        1s        2s        3s
///              ├─────────┼─────────┼─────────┤
///     profile  ┣#1━━━━━━━┫┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈○
///                        ┣#2━━━━━━━✓              loaded "new"
///     ┫ replaced  ✓ answer  ○ too late, dropped  ┈ no longer counts
///
/// The lane's final state is at the right. Events of one instant are side by side, in their order,
/// if there is room. Long gaps without events are folded: `╱58s╱`.
public struct TextTimeline: Sendable {
  /// The maximum line width in columns, at least 24.
  public let width: Int
  /// The character set.
  public let style: Style
  /// The format of times on the axis.
  public var inWords: @Sendable (Duration) -> String = { $0.tick }
  /// Whether changes of different lanes at one instant are kept apart, in their order.
  public var isWidened = false
  /// The events that share the position of the preceding event.
  var together: Set<Int> = []
  /// An instant to point at, below the axis, with its label.
  var pointer: (time: Duration, text: String)?

  /// A character set.
  public enum Style: Sendable, Hashable {
    /// Box drawing and symbols, each one column wide.
    case unicode
    /// ASCII only; names and values do not change.
    case ascii
  }

  /// Creates a renderer of at most `width` columns; a width below 24 becomes 24.
  public init(width: Int = 80, style: Style = .unicode) {
    self.width = max(24, width)
    self.style = style
  }

  /// Returns the picture, without indentation and line ends; never empty.
  public func lines(of recording: Recording, _ excerpt: Excerpt = Excerpt()) -> [String] {
    let model = TimelineModel(recording, excerpt, together: together, isWidened: isWidened)
    if model.lanes.isEmpty { return [cut(Self.emptiness(of: recording, excerpt))] }
    let lines =
      model.moments.isEmpty
      ? drawStill(model, isExcerpt: excerpt.last != nil || model.start > .zero)
      : TextPicture(model, width: width, style: style, pointer: pointer, inWords: inWords).lines
    return lines + (model.note(inWords: inWords).map { [cut($0)] } ?? [])
  }

  private static func emptiness(of recording: Recording, _ excerpt: Excerpt) -> String {
    if recording.lanes.isEmpty { return "nothing to draw: no member yet" }
    return recording.drawnLanes(named: excerpt.names).isEmpty
      ? "no such member to draw" : "no member was left"
  }

  /// Draws lanes without events.
  private func drawStill(_ model: TimelineModel, isExcerpt: Bool) -> [String] {
    let names = NameColumn(model.lanes, width: width, style: style)
    return model.lanes.map { cut(names[$0] + $0.state.escapingControls) }
      + [cut(isExcerpt ? "nothing happened since \(inWords(model.start))" : "nothing happened yet")]
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

/// The names at the left, padded to one width; those of requests are indented.
struct NameColumn {
  let width: Int
  private let style: TextTimeline.Style

  init(_ lanes: [TimelineModel.Lane], width: Int, style: TextTimeline.Style) {
    let widest = lanes.map(\.label.widthInColumns).max() ?? 0
    self.width = min(widest, width / 4) + 2
    self.style = style
  }

  subscript(lane: TimelineModel.Lane) -> String {
    let text = lane.label.cut(toColumns: width - 2, ellipsis: style.ellipsis)
    return text + String(repeating: " ", count: width - text.widthInColumns)
  }

  var blank: String { String(repeating: " ", count: width) }
}

extension TimelineModel.Lane {
  fileprivate var label: String { (isOwned ? "  " : "") + name.escapingControls }
}

extension TextTimeline {
  /// Returns a line of a Unicode picture with terminal colours. A bar has the colour of its end:
  /// green, red, or yellow while in flight. The axis and released attempts are pale.
  ///
  /// Any other line is returned unchanged.
  public static func painted(_ line: String) -> String {
    guard line.utf8.contains(0xE2), line.contains(where: { "┣◀├╋".contains($0) }) else {
      return line
    }
    var brush = Colour.pale
    let colours = line.reversed().map { brush.colour(of: $0) }
    var text = ""
    var current: Colour?
    for (sign, colour) in zip(line, colours.reversed()) {
      if colour != current {
        if current != nil { text += Colour.end }
        text += colour?.rawValue ?? ""
        current = colour
      }
      text.append(sign)
    }
    return current == nil ? text : text + Colour.end
  }

  private enum Colour: String {
    case good = "\u{1B}[32m"
    case bad = "\u{1B}[31m"
    case open = "\u{1B}[33m"
    case pale = "\u{1B}[2m"

    static let end = "\u{1B}[0m"

    /// Returns the colour of a character; the line is read from its end. If the character ends a
    /// bar, `self` becomes that bar's colour.
    mutating func colour(of sign: Character) -> Colour? {
      switch sign {
      case "✓": self = .good
      case "✗": self = .bad
      case "▶": self = .open
      case "○", "⊘", "∅", "□", "†", "┫", "╋": self = .pale
      case "◆", "•", "≔", "▷": return .good
      case "▼", "↻", "⊖", "✱": return .open
      case "━", "─", "┣", "◀": return self
      case "┈", "·", "┊", "├", "┼", "┤", "═", "╱", "▲": return .pale
      default: return nil
      }
      return self
    }
  }
}
