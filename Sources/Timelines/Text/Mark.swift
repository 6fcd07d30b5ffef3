/// A sign on a bar: something that happened at one moment.
///
/// In the order in which a legend explains them.
enum Mark: CaseIterable, Hashable {
  case started, replaced, restarted
  case queued, refused
  case yielded, interrupted, retrying
  case succeeded, failed, empty
  case cancelled, reset, assigned, changed
  case dropped, forgotten
  case open, several

  func glyph(_ style: TextTimeline.Style) -> Character {
    switch style {
    case .unicode: unicode
    case .ascii: ascii
    }
  }

  private var unicode: Character {
    switch self {
    case .started: "┣"
    case .replaced: "┫"
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
    case .dropped: "○"
    case .forgotten: "†"
    case .open: "▶"
    case .several: "✱"
    }
  }

  private var ascii: Character {
    switch self {
    case .started, .restarted, .replaced: "|"
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
    case .dropped: "?"
    case .forgotten: "f"
    case .open: ">"
    case .several: "+"
    }
  }

  /// What a legend says; nil for what the picture shows by itself.
  var meaning: String? {
    switch self {
    case .started: nil
    case .replaced, .restarted: "replaced"
    case .queued: "queued"
    case .refused: "start refused"
    case .yielded: "yield"
    case .interrupted: "interrupt"
    case .retrying: "retry"
    case .succeeded: "answer"
    case .failed: "error"
    case .empty: "ended without a value"
    case .cancelled: "cancel"
    case .reset: "reset"
    case .assigned: "set by hand"
    case .changed: "change"
    case .dropped: "too late, dropped"
    case .forgotten: "forgotten"
    case .open: "still going on"
    case .several: "several in one column"
    }
  }
}

/// How a bar is drawn between its marks.
enum Stroke: CaseIterable, Hashable {
  /// In flight, and the state says so.
  case visible
  /// In flight, and the state does not show it.
  case silent
  /// Cancelled, replaced or stopped, but its block has not ended.
  case released
  /// Not begun yet.
  case waiting

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

  /// What a legend says; nil for what the picture shows by itself.
  var meaning: String? {
    switch self {
    case .visible: nil
    case .silent: "silent"
    case .released: "no longer counts"
    case .waiting: "waiting"
    }
  }
}
