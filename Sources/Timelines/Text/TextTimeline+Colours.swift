extension TextTimeline {
  /// A line of a picture in Unicode with the colours of a terminal: a bar in that of how it ends, green,
  /// red or, as long as it goes on, yellow; what no longer counts, and the axis, pale.
  ///
  /// Any other line is returned as it is.
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

    /// The colour of a sign in a line that is read from its end; self becomes the colour of the bar that it
    /// ends, if it ends one.
    mutating func colour(of sign: Character) -> Colour? {
      switch sign {
      case "✓": self = .good
      case "✗": self = .bad
      case "▶": self = .open
      case "○", "⊘", "∅", "□", "†", "┫", "╋": self = .pale
      case "◆", "•", "≔": return .good
      case "▼", "↻", "⊖", "✱": return .open
      case "━", "─", "┣", "◀": return self
      case "┈", "·", "┊", "├", "┼", "┤", "═", "╱", "▲": return .pale
      default: return nil
      }
      return self
    }
  }
}
