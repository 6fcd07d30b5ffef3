/// A format of pictures: its name, its file extensions and the options that it allows.
public struct TimelineFormat: Sendable {
  /// The name on the command line: `svg`.
  public let name: String
  /// The extensions of its files; empty if another format uses them.
  public let fileExtensions: [String]
  /// The purpose, in a few words.
  public let purpose: String
  /// Whether it can draw a part of the recording.
  public let takesExcerpts: Bool
  /// Whether it can keep the events of one instant apart.
  public let canBeWidened: Bool
  /// Whether it is made for a terminal.
  public let isForTerminals: Bool
  private let text: @Sendable (Recording, Drawing) -> String

  /// The options of a drawing.
  public struct Drawing: Sendable {
    /// The part of the recording to draw.
    public var excerpt: Excerpt
    /// The maximum line width of text, in columns.
    public var width: Int
    /// The title, for formats that have one.
    public var title: String?
    /// An instant to point at, for formats that are meant to be looked at.
    public var pointer: Pointer?
    /// The format of times on a text axis, nil for `500ms`, `1m20s`.
    public var inWords: (@Sendable (Duration) -> String)?
    /// Whether the events of one instant are kept apart, in their order. The time axis of SVG and
    /// HTML is linear unless this is set.
    public var isWidened = false
    /// The events that share the position of the preceding event, because they come from another
    /// run.
    var together: Set<Int> = []

    /// Creates a drawing of everything, 80 columns wide.
    public init(excerpt: Excerpt = Excerpt(), width: Int = 80, title: String? = nil) {
      self.excerpt = excerpt
      self.width = width
      self.title = title
    }
  }

  init(
    _ name: String,
    fileExtensions: [String] = [],
    purpose: String,
    takesExcerpts: Bool = true,
    canBeWidened: Bool = false,
    isForTerminals: Bool = false,
    text: @escaping @Sendable (Recording, Drawing) -> String
  ) {
    self.name = name
    self.fileExtensions = fileExtensions
    self.purpose = purpose
    self.takesExcerpts = takesExcerpts
    self.canBeWidened = canBeWidened
    self.isForTerminals = isForTerminals
    self.text = text
  }

  /// Returns the picture as text. Every line has a line end, and the text is never empty.
  public func text(of recording: Recording, _ drawing: Drawing = Drawing()) -> String {
    text(recording, drawing)
  }

  /// All formats, in the order of the help.
  public static let all: [TimelineFormat] = [.text, .ascii, .svg, .html, .mermaid, .json, .trace]

  /// Returns the format with that name.
  public static func named(_ name: String) -> TimelineFormat? { all.first { $0.name == name } }

  /// Returns the format for a file name: the longest extension that matches. Text if the name has
  /// no extension, nil if the extension is unknown.
  public static func forFile(_ path: String) -> TimelineFormat? {
    let fitting = all.flatMap { format in
      format.fileExtensions.filter { path.hasSuffix("." + $0) }.map { (format, length: $0.count) }
    }
    let longest = fitting.max { $0.length < $1.length }?.0
    let hasEnding = path.split(separator: "/").last?.dropFirst().contains(".") ?? false
    return longest ?? (hasEnding ? nil : .text)
  }

  /// Returns whether a file of this name usually has a picture, such as `x.svg`.
  package static func isPicture(_ path: String) -> Bool {
    guard let format = forFile(path) else { return false }
    return [svg, html, mermaid].contains { $0.name == format.name }
  }

  /// The accepted file names: `a file that ends in .txt, .svg, … or .json`.
  public static let fileNames: String = {
    let endings = all.flatMap { $0.fileExtensions.map { "." + $0 } }
    return "a file that ends in " + endings.dropLast().joined(separator: ", ")
      + " or " + (endings.last ?? "")
  }()
}

extension TimelineFormat {
  /// Text, for terminals and comments.
  public static let text = TimelineFormat(
    "text",
    fileExtensions: ["txt"],
    purpose: "for terminals",
    canBeWidened: true,
    isForTerminals: true
  ) { recording, drawing in
    lines(of: recording, drawing, style: .unicode)
  }

  static let ascii = TimelineFormat(
    "ascii",
    purpose: "for terminals without Unicode",
    canBeWidened: true,
    isForTerminals: true
  ) { recording, drawing in
    lines(of: recording, drawing, style: .ascii)
  }

  /// The approximate width of a text column in points.
  private static let pointsPerColumn = 12

  static let svg = TimelineFormat(
    "svg",
    fileExtensions: ["svg"],
    purpose: "for documents and reviews, light and dark",
    canBeWidened: true
  ) { recording, drawing in
    let width = drawing.width * pointsPerColumn
    var timeline = SVGTimeline(width: width, title: drawing.title ?? "")
    timeline.together = drawing.together
    timeline.isWidened = drawing.isWidened
    return timeline.text(of: recording, drawing.excerpt, pointingAt: drawing.pointer)
  }

  static let html = TimelineFormat(
    "html",
    fileExtensions: ["html"],
    purpose: "to explore in any browser",
    canBeWidened: true
  ) { recording, drawing in
    var timeline = HTMLTimeline(title: drawing.title ?? "")
    timeline.together = drawing.together
    timeline.isWidened = drawing.isWidened
    return timeline.text(of: recording, drawing.excerpt, pointingAt: drawing.pointer)
  }

  static let mermaid = TimelineFormat(
    "mermaid",
    fileExtensions: ["mmd", "mermaid"],
    purpose: "for Markdown"
  ) { recording, drawing in
    MermaidGantt(recording, drawing.excerpt, title: drawing.title).text
  }

  static let trace = TimelineFormat(
    "trace",
    fileExtensions: ["trace.json"],
    purpose: "for Perfetto and chrome://tracing"
  ) { recording, drawing in
    ChromeTrace(recording, drawing.excerpt, title: drawing.title).text
  }

  static let json = TimelineFormat(
    "json",
    fileExtensions: ["json"],
    purpose: "for programs, and to draw it later",
    takesExcerpts: false
  ) { recording, _ in
    recording.json
  }

  private static func lines(
    of recording: Recording,
    _ drawing: Drawing,
    style: TextTimeline.Style
  ) -> String {
    var timeline = TextTimeline(width: drawing.width, style: style)
    timeline.together = drawing.together
    timeline.isWidened = drawing.isWidened
    timeline.pointer = drawing.pointer.map { ($0.time, $0.words) }
    if let inWords = drawing.inWords { timeline.inWords = inWords }
    return timeline.lines(of: recording, drawing.excerpt).map { $0 + "\n" }.joined()
  }
}
