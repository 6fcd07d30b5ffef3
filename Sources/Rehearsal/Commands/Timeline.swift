import RehearsalBase
import Script
import Staging
import Timelines

extension ShellCommand {
  static let timeline = ShellCommand(
    definition: CommandDefinition(
      "timeline",
      topic: .looking,
      summary: "Draws the events so far: a lane for each member, a bar for each attempt.",
      details: [
        "The requests of a member are below it. 'last D' draws the last D only; earlier bars enter at the left edge. 'width N' sets the width in columns.",
        "Changes of several members at one instant share one position. 'widened' draws them apart, in their order. The time axis of 'svg' and 'html' is linear.",
        "'as' sets the format: "
          + TimelineFormat.all.map { "'\($0.name)' \($0.purpose)" }.joined(separator: ", ")
          + ". 'to FILE' writes to a file; without 'as', the name of the file sets the format.",
        "'as marble' draws the values of inputs and pipes as marble diagrams, one below the other, which 'marble' can read. Without 'tick D' a sign is 100ms, or more if the diagram would be too wide.",
      ],
      arguments: [.many(.slot(Slot<Located<String>>.member))],
      clauses: [
        .sequence([.keyword("last"), .slot(last)]),
        .sequence([
          .keyword("as"),
          .oneOf(
            TimelineFormat.all.map { .keyword($0.name) } + [
              .sequence([
                .keyword("marble"), .optional(.sequence([.keyword("tick"), .slot(tick)])),
              ])
            ]
          ),
        ]),
        .sequence([.keyword("width"), .slot(columns)]),
        .keyword("widened"),
        .sequence([.keyword("to"), .slot(Slot<Located<String>>.file)]),
      ],
      meanings: [
        "last": "only events of this last duration", "as": "another format",
        "text": "the default picture", "ascii": "without Unicode's lines",
        "marble": "as a marble diagram", "tick": "the time of one column",
        "width": "the width in columns", "widened": "the order within an instant",
        "to": "into a file", "svg": "a picture for browsers",
        "html": "an interactive page", "mermaid": "a diagram for Markdown pages",
        "json": "everything, for programs", "trace": "for Perfetto and Chrome",
      ],
      effects: [.looks, .readsLog, .fitsWidth],
      clauseEffects: ["to": .writesFile],
      examples: [
        """
        > loadable profile: String
        > load profile "old" after 3s uncancellable
             0.000s  profile  absent → loading #1
        > in 1s load profile "new" after 1s
        > settle
             1.000s  profile  loading #1 → loading #2
             2.000s  profile  loading #2 → loaded "new"
             3.000s  profile  #1 answered "old"; too late, dropped
        > timeline width 62
                   0s       1s        2s        3s
                   ├────────┼─────────┼─────────┤
          profile  ┣#1━━━━━━┫┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈○        loaded "new"
                            ┣#2━━━━━━━✓ "new"
          ┫ replaced  ✓ answer  ○ too late, dropped
          ┈ no longer counts
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let isMarble = arguments.has("marble")
    let format = try TimelineFormat.asked(for: arguments)
    let text =
      isMarble
      ? try session.marbleText(arguments) : try session.timelineText(arguments, as: format)
    guard let file = arguments[.file] else { return try session.print(text, as: format) }
    try session.write(Array(text.utf8), to: file)
    session.output.print(sentence(on: text, file: file.value, as: isMarble ? .text : format))
  }

  fileprivate static let last = Slot<Located<Duration>>.duration("last")
  fileprivate static let tick = Slot<Located<Duration>>.duration("tick")
  fileprivate static let columns = Slot<Located<Int>>.integer(
    "width",
    "a width in columns",
    in: 40...1000,
    example: "80"
  )
}

extension TimelineFormat {
  /// Returns the format that the command or its file names, or the one for terminals.
  fileprivate static func asked(for arguments: Arguments) throws(Diagnostic) -> TimelineFormat {
    if let format = all.first(where: { arguments.has($0.name) }) { return format }
    guard let file = arguments[.file], !arguments.has("marble") else { return .text }
    if let format = forFile(file.value) { return format }
    throw Diagnostic(
      .expected(fileNames, found: file.value.printable(atMost: 30)),
      at: file.span,
      hint: "'as text' writes text into any file"
    )
  }
}

@MainActor extension Session {
  fileprivate func timelineText(
    _ arguments: Arguments,
    as format: TimelineFormat
  ) throws(Diagnostic) -> String {
    let names = arguments.all(.member)
    for name in names where !history.recording.isDrawn(name.value) { _ = try member(name) }
    if !format.takesExcerpts, let span = names.first?.span ?? arguments.span(of: "last") {
      throw Diagnostic(
        .conflictingClauses("as \(format.name)", names.first?.value ?? "last"),
        at: span,
        hint: "'\(format.name)' always shows the whole session"
      )
    }
    if !format.canBeWidened, let span = arguments.span(of: "widened") {
      throw Diagnostic(
        .conflictingClauses("as \(format.name)", "widened"),
        at: span,
        hint: "'widened' is for 'text', 'ascii', 'svg' and 'html'"
      )
    }
    let excerpt = Excerpt(
      names: names.isEmpty ? nil : names.map(\.value),
      last: arguments[ShellCommand.last]?.value
    )
    var drawing = TimelineFormat.Drawing(excerpt: excerpt, width: width(arguments))
    drawing.inWords = options.settings.values.times.onAxes
    drawing.isWidened = arguments.has("widened")
    var recording = history.recordingUpToNow()
    recording.unperformed = unperformed.map(\.sentence)
    return format.text(of: recording, drawing)
  }

  fileprivate func marbleText(_ arguments: Arguments) throws(Diagnostic) -> String {
    for word in ["last", "widened"] {
      guard let span = arguments.span(of: word) else { continue }
      throw Diagnostic(.conflictingClauses("as marble", word), at: span)
    }
    let names = arguments.all(.member)
    let tick = arguments[ShellCommand.tick]
    let lines = try marbleLines(of: names, tick: tick, width: width(arguments))
    return lines.map { $0 + "\n" }.joined()
  }

  /// Output is indented by two columns.
  private func width(_ arguments: Arguments) -> Int {
    (arguments[ShellCommand.columns]?.value ?? options.width) - 2
  }

  /// Prints a picture. One for programs is refused if it is too long, because it is useless without
  /// its middle.
  fileprivate func print(_ text: String, as format: TimelineFormat) throws(Diagnostic) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let limit = SessionOutput.mostLines.first
    guard format.isForTerminals || lines.count <= limit else {
      throw Diagnostic(
        .tooMany("lines", limit: limit),
        at: 0..<0,
        hint: "'to FILE' writes them into a file"
      )
    }
    history.recordsOutput = format.isForTerminals
    defer { history.recordsOutput = true }
    for line in lines { output.print(String(line)) }
  }
}

extension Recording {
  /// Whether a member of the name ever existed.
  fileprivate func isDrawn(_ name: String) -> Bool {
    lanes.contains { $0.name == name && $0.word != "request" }
  }
}

/// Returns a description of the written picture.
private func sentence(on text: String, file: String, as format: TimelineFormat) -> String {
  let count = text.utf8.count { $0 == UInt8(ascii: "\n") }
  let what = format.isForTerminals ? "line".counted(count) : format.name
  return "wrote \(what) to \(file.escapingControls)"
}
