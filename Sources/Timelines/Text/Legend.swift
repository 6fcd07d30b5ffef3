import RehearsalBase

/// The legend of a timeline as text, with only those symbols that it uses.
struct Legend {
  private var marks: Set<EventMark> = []
  private var strokes: Set<Stroke> = []
  private var notes: [String] = []

  mutating func add(_ mark: EventMark) {
    marks.insert(mark)
  }

  mutating func add(_ stroke: Stroke) {
    strokes.insert(stroke)
  }

  /// Adds a note unless it is there already.
  mutating func add(note: String) {
    if !notes.contains(note) {
      notes.append(note)
    }
  }

  /// Returns the lines of the legend, none if every symbol explains itself.
  func lines(width: Int, style: TextTimeline.Style) -> [String] {
    var lines: [String] = []
    for entry in entries(style) {
      if let last = lines.last, (last + "  " + entry).widthInColumns <= width {
        lines[lines.count - 1] = last + "  " + entry
      } else {
        lines.append(entry)
      }
    }
    return lines
  }

  private func entries(_ style: TextTimeline.Style) -> [String] {
    let marks = EventMark.allCases.filter(marks.contains).compactMap { mark in
      mark.meaning.map { "\(mark.glyph(style)) \($0)" }
    }
    let strokes = Stroke.allCases.filter(strokes.contains).compactMap { stroke in
      stroke.meaning.map { "\(stroke.glyph(style)) \($0)" }
    }
    return (marks + strokes + notes).reduce(into: []) { entries, entry in
      if entries.last != entry {
        entries.append(entry)
      }
    }
  }
}
