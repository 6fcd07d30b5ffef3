/// A kind of picture, by the name that commands know it by.
public struct TimelineFormat: Sendable {
  /// As it is asked for: `svg`.
  public let name: String
  /// How the names of its files end; nil where others have a better claim to that.
  public let fileExtension: String?
  /// What it is good for, in a few words.
  public let purpose: String
  /// Whether it can be of a part of the recording.
  public let takesExcerpts: Bool
  /// Whether it is made for reading in a terminal.
  public let isForTerminals: Bool
  private let text: @Sendable (Recording, Drawing) -> String

  /// How a recording is to be drawn.
  public struct Drawing: Sendable {
    /// What of it.
    public var excerpt: Excerpt
    /// The most columns that a line of text may take.
    public var width: Int
    /// What it is called, where a format has a place for that.
    public var title: String?
    /// An instant to point at, in the formats that are looked at.
    public var pointer: Pointer?
    /// How an axis of text says what time it is; nil for `500ms`, `1m20s`.
    public var inWords: (@Sendable (Duration) -> String)?
    /// The events that stand where the one before them does, though they happened in another run.
    var together: Set<Int> = []

    /// A drawing of everything, 80 columns wide.
    public init(excerpt: Excerpt = Excerpt(), width: Int = 80, title: String? = nil) {
      self.excerpt = excerpt
      self.width = width
      self.title = title
    }
  }

  init(
    _ name: String,
    fileExtension: String? = nil,
    purpose: String,
    takesExcerpts: Bool = true,
    isForTerminals: Bool = false,
    text: @escaping @Sendable (Recording, Drawing) -> String
  ) {
    self.name = name
    self.fileExtension = fileExtension
    self.purpose = purpose
    self.takesExcerpts = takesExcerpts
    self.isForTerminals = isForTerminals
    self.text = text
  }

  /// The picture as text; every line ends, and none is empty.
  public func text(of recording: Recording, _ drawing: Drawing = Drawing()) -> String {
    text(recording, drawing)
  }

  /// All of them, in the order in which help lists them.
  public static let all: [TimelineFormat] = [.text, .ascii, .svg, .html, .mermaid, .json, .trace]

  /// The format of that name.
  public static func named(_ name: String) -> TimelineFormat? { all.first { $0.name == name } }

  /// The format that a file's name asks for, the one with the longest ending that fits; text where the
  /// name has no ending, nil where it has one that is no format's.
  public static func forFile(_ path: String) -> TimelineFormat? {
    let fitting = all.filter { $0.fileExtension.map { path.hasSuffix("." + $0) } ?? false }
    let longest = fitting.max { ($0.fileExtension ?? "").count < ($1.fileExtension ?? "").count }
    let hasEnding = path.split(separator: "/").last?.dropFirst().contains(".") ?? false
    return longest ?? (hasEnding ? nil : .text)
  }

  /// Which names of files ask for a format: `a file that ends in .txt, .svg, … or .json`.
  public static let fileNames: String = {
    let endings = all.compactMap { $0.fileExtension.map { "." + $0 } }
    return "a file that ends in " + endings.dropLast().joined(separator: ", ")
      + " or " + (endings.last ?? "")
  }()
}

extension TimelineFormat {
  /// For terminals and comments.
  public static let text = TimelineFormat(
    "text",
    fileExtension: "txt",
    purpose: "for terminals",
    isForTerminals: true
  ) { recording, drawing in
    lines(of: recording, drawing, style: .unicode)
  }

  static let ascii = TimelineFormat(
    "ascii",
    purpose: "for terminals without Unicode",
    isForTerminals: true
  ) { recording, drawing in
    lines(of: recording, drawing, style: .ascii)
  }

  /// A column of text is about so many points wide.
  private static let pointsPerColumn = 12

  static let svg = TimelineFormat(
    "svg",
    fileExtension: "svg",
    purpose: "for documents and reviews, light and dark"
  ) { recording, drawing in
    let width = drawing.width * pointsPerColumn
    var timeline = SVGTimeline(width: width, title: drawing.title ?? "")
    timeline.together = drawing.together
    return timeline.text(of: recording, drawing.excerpt, pointingAt: drawing.pointer)
  }

  static let html = TimelineFormat(
    "html",
    fileExtension: "html",
    purpose: "for looking around in, in any browser"
  ) { recording, drawing in
    var timeline = HTMLTimeline(title: drawing.title ?? "")
    timeline.together = drawing.together
    return timeline.text(of: recording, drawing.excerpt, pointingAt: drawing.pointer)
  }

  static let mermaid = TimelineFormat(
    "mermaid",
    fileExtension: "mmd",
    purpose: "for Markdown"
  ) { recording, drawing in
    MermaidGantt(recording, drawing.excerpt, title: drawing.title).text
  }

  static let trace = TimelineFormat(
    "trace",
    fileExtension: "trace.json",
    purpose: "for Perfetto and chrome://tracing"
  ) { recording, drawing in
    ChromeTrace(recording, drawing.excerpt, title: drawing.title).text
  }

  static let json = TimelineFormat(
    "json",
    fileExtension: "json",
    purpose: "for programs; can be drawn later",
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
    timeline.pointer = drawing.pointer.map { ($0.time, $0.words) }
    if let inWords = drawing.inWords { timeline.inWords = inWords }
    return timeline.lines(of: recording, drawing.excerpt).map { $0 + "\n" }.joined()
  }
}
