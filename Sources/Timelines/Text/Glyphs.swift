/// Decides the characters of marks and lines in a timeline as text.
extension EventMark {
  func glyph(_ style: TextTimeline.Style) -> Character {
    switch style {
    case .unicode: unicode
    case .ascii: ascii
    }
  }

  private var unicode: Character {
    switch self {
    case .started: "┣"
    case .replaced, .left: "┫"
    case .restarted: "╋"
    case .queued: "┊"
    case .refused: "⊖"
    case .yielded: "◆"
    case .interrupted: "▼"
    case .retrying: "↻"
    case .succeeded: "✓"
    case .failed: "✗"
    case .empty: "□"
    case .cancelled: "⊘"
    case .reset: "∅"
    case .assigned: "≔"
    case .changed: "•"
    case .performed: "▷"
    case .dropped: "○"
    case .forgotten: "†"
    case .entered: "◀"
    case .open: "▶"
    case .several: "✱"
    }
  }

  private var ascii: Character {
    switch self {
    case .started, .restarted, .replaced, .left: "|"
    case .queued: "q"
    case .refused: "r"
    case .yielded: "o"
    case .interrupted: "v"
    case .retrying: "~"
    case .succeeded: "*"
    case .failed: "!"
    case .empty: "_"
    case .cancelled: "x"
    case .reset: "0"
    case .assigned: ":"
    case .changed: "'"
    case .performed: "]"
    case .dropped: "?"
    case .forgotten: "f"
    case .entered: "<"
    case .open: ">"
    case .several: "+"
    }
  }
}

extension Stroke {
  func glyph(_ style: TextTimeline.Style) -> Character {
    switch (self, style) {
    case (.visible, .unicode): "━"
    case (.silent, .unicode): "─"
    case (.released, .unicode): "┈"
    case (.waiting, .unicode): "·"
    case (.visible, .ascii): "="
    case (.silent, .ascii): "-"
    case (.released, .ascii): "."
    case (.waiting, .ascii): ","
    }
  }
}
