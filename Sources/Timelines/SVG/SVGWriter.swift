/// A writer of SVG elements. It escapes texts and titles.
struct SVGWriter {
  private(set) var text = ""

  mutating func open(_ element: String) {
    text += "<\(element)>\n"
  }

  mutating func close(_ element: String) {
    text += "</\(element)>\n"
  }

  /// Writes text that starts at a position, ends there, or is centred there.
  mutating func write(
    _ words: String,
    _ style: String = "",
    x: Double,
    y: Double,
    anchor: Anchor = .start
  ) {
    guard !words.isEmpty else { return }
    text += "<text"
    if !style.isEmpty { text += " class=\"\(style)\"" }
    text += " x=\"\(x.inPoints)\" y=\"\(y.inPoints)\""
    if anchor != .start { text += " text-anchor=\"\(anchor.rawValue)\"" }
    text += ">\(words.escapingMarkup)</text>\n"
  }

  enum Anchor: String {
    case start, middle, end
  }

  /// Writes the title of the element that was opened last, for screen readers.
  mutating func title(_ words: String) {
    text += "<title>\(words.escapingMarkup)</title>\n"
  }

  mutating func description(_ words: String) {
    text += "<desc>\(words.escapingMarkup)</desc>\n"
  }

  /// Writes a style sheet, which must come from this program.
  mutating func style(_ sheet: String) {
    text += "<style>\n\(sheet)</style>\n"
  }

  mutating func append(_ other: SVGWriter) {
    text += other.text
  }

  mutating func rect(
    _ style: String,
    x: Double,
    y: Double,
    width: Double,
    height: Double,
    radius: Double = 0,
    title: String? = nil
  ) {
    text += "<rect class=\"\(style)\" x=\"\(x.inPoints)\" y=\"\(y.inPoints)\""
    text += " width=\"\(max(0, width).inPoints)\" height=\"\(height.inPoints)\""
    if radius > 0 { text += " rx=\"\(radius.inPoints)\"" }
    end("rect", title: title)
  }

  mutating func path(_ style: String, _ data: String, title: String? = nil) {
    text += "<path class=\"\(style)\" d=\"\(data)\""
    end("path", title: title)
  }

  private mutating func end(_ element: String, title: String?) {
    if let title {
      text += "><title>\(title.escapingMarkup)</title></\(element)>\n"
    } else {
      text += "/>\n"
    }
  }

  /// Writes a mark, in `tone` or else in the mark's tone.
  mutating func mark(
    _ mark: EventMark,
    tone: MarkShape.Tone? = nil,
    x: Double,
    y: Double,
    title: String?
  ) {
    guard let shape = mark.shape else { return }
    text += "<g class=\"m \(shape.kind) \((tone ?? shape.tone).rawValue)\""
    text += " transform=\"translate(\(x.inPoints) \(y.inPoints))\">"
    if let title { text += "<title>\(title.escapingMarkup)</title>" }
    switch shape.ground {
    case .full: text += "<circle r=\"7\"/>"
    case .hollow: text += "<circle r=\"6\"/>"
    case .shape(let data): text += "<path class=\"shape\" d=\"\(data)\"/>"
    case .none: break
    }
    if !shape.strokes.isEmpty { text += "<path d=\"\(shape.strokes)\"/>" }
    text += "</g>\n"
  }
}

extension MarkShape {
  /// The class name for the shape under its strokes.
  var kind: String {
    switch ground {
    case .full: "full"
    case .hollow: "hollow"
    case .none: "none"
    case .shape: "own"
    }
  }
}
