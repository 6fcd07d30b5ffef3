/// Lays out a list of candidates as lines that fit the screen.
struct CandidateLayout {
  /// The width in columns. The last column stays empty, because some terminals wrap after writing to it.
  let columns: Int
  /// Maximum number of lines, at least one.
  let rows: Int
  let width: (Unicode.Scalar) -> Int

  private static let indent = "  "
  private static let gap = 2

  /// Returns one line per candidate if any has a description; otherwise several per line, ordered down the columns. The
  /// last line has the number of candidates that do not fit.
  func lines(for candidates: [LineEditor.Candidate], andMore hidden: Int = 0) -> [String] {
    let isDescribed = candidates.contains { !$0.description.isEmpty }
    return isDescribed ? described(candidates, hidden) : columned(candidates, hidden)
  }

  /// Indents lines and cuts them to the width. The last line has the number of lines that do not fit.
  func fitted(_ lines: [String]) -> [String] {
    let shown = lines.count > rows ? max(0, rows - 1) : lines.count
    var fitted = lines.prefix(shown).map { cut(Self.indent + Self.onOneLine($0)) }
    if shown < lines.count { fitted.append(more(lines.count - shown)) }
    return fitted
  }

  private func described(_ candidates: [LineEditor.Candidate], _ hidden: Int) -> [String] {
    let hasRoom = candidates.count + min(hidden, 1) <= rows
    let shown = hasRoom ? candidates.count : min(candidates.count, max(0, rows - 1))
    let texts = candidates.prefix(shown).map { Self.onOneLine($0.text) }
    let widest = min(texts.map(measure).max() ?? 0, max(8, columns / 2))
    var lines = zip(texts, candidates).map { text, candidate in
      let description = Self.onOneLine(candidate.description)
      guard !description.isEmpty else { return cut(Self.indent + text) }
      return cut(Self.indent + pad(text, to: widest) + "  " + description)
    }
    let rest = candidates.count - shown + hidden
    if rest > 0 { lines.append(more(rest)) }
    return lines
  }

  private func columned(_ candidates: [LineEditor.Candidate], _ hidden: Int) -> [String] {
    let texts = candidates.map { Self.onOneLine($0.text) }
    let cell = (texts.map(measure).max() ?? 0) + Self.gap
    let across = max(1, (columns - 1 - Self.indent.count + Self.gap) / cell)
    let needed = (texts.count + across - 1) / across
    let shownRows = min(needed, max(0, needed + min(hidden, 1) > rows ? rows - 1 : rows))
    let shown = min(texts.count, shownRows * across)
    var lines = (0..<shownRows).map { row in
      var line = Self.indent
      for index in stride(from: row, to: shown, by: shownRows) {
        let isLast = index + shownRows >= shown
        line += isLast ? texts[index] : pad(texts[index], to: cell)
      }
      return cut(line)
    }
    let rest = texts.count - shown + hidden
    if rest > 0 { lines.append(more(rest)) }
    return lines
  }

  private func more(_ count: Int) -> String { cut(Self.indent + "… and \(count) more") }

  private func measure(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + max(0, width($1)) }
  }

  private func pad(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - measure(text)))
  }

  private func cut(_ line: String) -> String {
    guard measure(line) > columns - 1 else { return line }
    var kept = ""
    var used = 0
    for character in line {
      let taken = measure(String(character))
      guard used + taken <= columns - 2 else { break }
      kept.append(character)
      used += taken
    }
    return kept + "…"
  }

  private static func onOneLine(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(
      contentsOf: text.unicodeScalars.map { scalar in
        if scalar.properties.generalCategory == .control { return " " }
        return scalar.reordersText ? "\u{FFFD}" : scalar
      }
    )
    return String(scalars)
  }
}

extension Unicode.Scalar {
  /// Whether it is invisible but may change where a terminal shows other text.
  var reordersText: Bool {
    properties.generalCategory == .format && self != "\u{200C}" && self != "\u{200D}"
  }
}
