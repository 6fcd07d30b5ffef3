/// Rows of a terminal in its window, as SVG. Lengths are in tenths of a pixel until they are written, so
/// that no rounding differs between machines.
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
      <title id="title">\(title.markup)</title>
      <desc id="desc">\(rows.map(\.text).joined(separator: "\n").markup)</desc>
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
      <text class="title" x="\((width / 2).pixels)" y="22.5">\(title.markup)</text>

      """
  }

  private func line(_ row: TerminalRow, number: Int) -> String {
    let y = (Self.bar + Self.margin + number * Self.row + 120).pixels
    return row.words.map { word in
      let x = (Self.margin + word.column * Self.column).pixels
      let length = (word.columns * Self.column).pixels
      let role = word.role == .plain ? "" : " class=\"\(word.role.rawValue)\""
      return "<text\(role) x=\"\(x)\" y=\"\(y)\" textLength=\"\(length)\""
        + " lengthAdjust=\"spacingAndGlyphs\">\(word.text.markup)</text>\n"
    }.joined()
  }
}

/// The colours of a window, as a style sheet.
struct TerminalStyle {
  let theme: SessionPicture.Theme

  var text: String {
    switch theme {
    case .light: Self.shapes + Self.sheet(of: Self.light)
    case .dark: Self.shapes + Self.sheet(of: Self.dark)
    case .auto:
      Self.shapes + Self.sheet(of: Self.light) + "@media (prefers-color-scheme: dark) {\n"
        + Self.sheet(of: Self.dark) + "}\n"
    }
  }

  private static let shapes = """
    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    .title { font: 12px system-ui, sans-serif; text-anchor: middle; }
    .verb, .mistake { font-weight: bold; }
    .window, .edge { stroke-width: 1; }

    """

  /// A palette: what is drawn on, then a colour by role.
  private struct Palette {
    let ground: String
    let bar: String
    let edge: String
    let colours: [SessionPicture.Role: String]
  }

  private static func sheet(of palette: Palette) -> String {
    var text = """
      .window { fill: \(palette.ground); stroke: \(palette.edge); }
      .bar { fill: \(palette.bar); }
      .edge { stroke: \(palette.edge); }
      .button { fill: \(palette.edge); }

      """
    if let plain = palette.colours[.plain] { text += "text { fill: \(plain); }\n" }
    if let dim = palette.colours[.dim] { text += ".title { fill: \(dim); }\n" }
    for role in SessionPicture.Role.allCases where role != .plain {
      if let colour = palette.colours[role] { text += ".\(role.rawValue) { fill: \(colour); }\n" }
    }
    return text
  }

  private static let light = Palette(
    ground: "#ffffff",
    bar: "#f6f8fa",
    edge: "#d0d7de",
    colours: [
      .plain: "#1f2328", .prompt: "#656d76", .verb: "#0550ae", .name: "#6639ba",
      .keyword: "#953800", .string: "#116329", .number: "#0a5c7a", .comment: "#656d76",
      .mistake: "#cf222e", .dim: "#656d76", .resting: "#656d76", .inFlight: "#7d4e00",
      .succeeded: "#1a7f37", .failed: "#cf222e",
    ]
  )

  private static let dark = Palette(
    ground: "#0d1117",
    bar: "#161b22",
    edge: "#30363d",
    colours: [
      .plain: "#e6edf3", .prompt: "#8b949e", .verb: "#79c0ff", .name: "#d2a8ff",
      .keyword: "#ffa657", .string: "#a5d6a7", .number: "#76d9e6", .comment: "#8b949e",
      .mistake: "#ff7b72", .dim: "#8b949e", .resting: "#8b949e", .inFlight: "#e3b341",
      .succeeded: "#56d364", .failed: "#ff7b72",
    ]
  )
}

extension Int {
  /// Tenths of a pixel as pixels.
  fileprivate var pixels: String {
    isMultiple(of: 10) ? "\(self / 10)" : "\(self / 10).\(self % 10)"
  }
}

extension String {
  /// As the content of an element: markup escaped, and what XML cannot hold left out.
  fileprivate var markup: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\n": text += "\n"
      case "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: if scalar.value >= 0x20 { text.unicodeScalars.append(scalar) }
      }
    }
    return text
  }
}
