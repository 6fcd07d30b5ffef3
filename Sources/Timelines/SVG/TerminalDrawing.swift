import RehearsalBase

/// The rows of a terminal in a window, as SVG. Lengths are integers in tenths of a pixel, so that
/// rounding is the same on every machine.
struct TerminalDrawing {
  let rows: [TerminalRow]
  let title: String
  let theme: SessionPicture.Theme

  private static let column = 84
  private static let row = 200
  private static let margin = 180
  private static let bar = 360

  private var width: Int {
    let columns = rows.map(\.widthInColumns).max() ?? 0
    return max(columns, 60) * Self.column + 2 * Self.margin
  }

  private var height: Int {
    Self.bar + max(1, rows.count) * Self.row + 2 * Self.margin - 40
  }

  var text: String {
    let size = "width=\"\(width.pixels)\" height=\"\(height.pixels)\""
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) \
      viewBox="0 0 \(width.pixels) \(height.pixels)" role="img" aria-labelledby="title desc">
      <title id="title">\(title.escapingMarkup)</title>
      <desc id="desc">\(rows.map(\.text.escapingMarkup).joined(separator: "\n"))</desc>
      <style>
      \(TerminalStyle(theme: theme).text)</style>

      """
    text += window
    for (index, row) in rows.enumerated() { text += line(row, number: index) }
    return text + "</svg>\n"
  }

  private var window: String {
    let edge = "x=\"0.5\" y=\"0.5\" width=\"\((width - 10).pixels)\""
    let right = (width - 5).pixels
    var text = """
      <rect class="window" \(edge) height="\((height - 10).pixels)" rx="8"/>
      <path class="bar" d="M0.5 \(Self.bar.pixels)V8.5a8 8 0 0 1 8 -8H\((width - 85).pixels)\
      a8 8 0 0 1 8 8V\(Self.bar.pixels)z"/>
      <path class="edge" d="M0.5 \(Self.bar.pixels)H\(right)"/>

      """
    for x in [20, 40, 60] { text += "<circle class=\"button\" cx=\"\(x)\" cy=\"18\" r=\"6\"/>\n" }
    return text + """
      <text class="title" x="\((width / 2).pixels)" y="22.5">\(title.escapingMarkup)</text>

      """
  }

  private func line(_ row: TerminalRow, number: Int) -> String {
    let y = (Self.bar + Self.margin + number * Self.row + 120).pixels
    return row.words.map { word in
      let x = (Self.margin + word.column * Self.column).pixels
      let length = (word.columns * Self.column).pixels
      let width = " textLength=\"\(length)\" lengthAdjust=\"spacingAndGlyphs\""
      let role = word.role == .plain ? "" : " class=\"\(word.role.rawValue)\""
      return "<text\(role) x=\"\(x)\" y=\"\(y)\"\(word.isRightToLeft ? "" : width)>"
        + "\(word.text.escapingMarkup)</text>\n"
    }.joined()
  }
}

extension Int {
  /// The length in pixels; `self` counts tenths.
  fileprivate var pixels: String {
    isMultiple(of: 10) ? "\(self / 10)" : "\(self / 10).\(self % 10)"
  }
}
