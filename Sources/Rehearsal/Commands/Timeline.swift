import RehearsalBase
import Script
import Staging
import Timelines

extension ShellCommand {
  static let timeline = ShellCommand(
    definition: CommandDefinition(
      "timeline",
      topic: .looking,
      summary: "Draws what happened: a lane a member, a bar an attempt.",
      details: [
        "Requests that a member made stand below it. 'last D' draws only what happened so lately; what began earlier enters at the left edge. 'width N' draws for so many columns.",
        "'as' says which picture: "
          + TimelineFormat.all.map { "'\($0.name)' \($0.purpose)" }.joined(separator: ", ")
          + ". 'to FILE' writes it into a file, by whose name it is chosen where 'as' does not say.",
        "'as marble' draws what inputs and pipes sent as marble diagrams, one below the other, that 'marble' reads again. Without 'tick D' a sign is 100ms, or as much as it takes to fit the width.",
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
        .sequence([.keyword("to"), .slot(Slot<Located<String>>.file)]),
      ],
      meanings: [
        "last": "only what happened in the last while", "as": "another format",
        "text": "the usual picture", "ascii": "without Unicode's lines",
        "marble": "as a marble diagram", "tick": "how long a column of the diagram is",
        "width": "how many columns it takes", "to": "into a file", "svg": "a picture for browsers",
        "html": "a page to look around in", "mermaid": "a diagram for Markdown pages",
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
  /// The one that the command names, or its file, or the one for terminals.
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
        hint: "'\(format.name)' is always of the whole session"
      )
    }
    let excerpt = Excerpt(
      names: names.isEmpty ? nil : names.map(\.value),
      last: arguments[ShellCommand.last]?.value
    )
    var drawing = TimelineFormat.Drawing(excerpt: excerpt, width: width(arguments))
    drawing.inWords = options.settings.values.times.onAxes
    var recording = history.recordingUpToNow()
    recording.unperformed = unperformed.map(\.sentence)
    return format.text(of: recording, drawing)
  }

  fileprivate func marbleText(_ arguments: Arguments) throws(Diagnostic) -> String {
    if let span = arguments.span(of: "last") {
      throw Diagnostic(.conflictingClauses("as marble", "last"), at: span)
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

  /// Prints a picture; one that is read by a program is worth nothing without its middle.
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
  /// Whether a member had the name at some time.
  fileprivate func isDrawn(_ name: String) -> Bool {
    lanes.contains { $0.name == name && $0.word != "request" }
  }
}

/// What was written, in words.
private func sentence(on text: String, file: String, as format: TimelineFormat) -> String {
  let count = text.utf8.count { $0 == UInt8(ascii: "\n") }
  let what = format.isForTerminals ? "\(count) line\(count == 1 ? "" : "s")" : format.name
  return "wrote \(what) to \(file.escapingControls)"
}
