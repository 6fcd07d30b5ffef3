import RehearsalBase
import Script
import Timelines

extension ShellCommand {
  static let states = ShellCommand(
    definition: CommandDefinition(
      "states",
      topic: .looking,
      summary: "Draws the states of members and the transitions that happened.",
      details: [
        "A transition is a state, an event and the next state. Transitions that happened are solid, with their count. Dotted ones are allowed by the member's policy and have not happened. 'set' is drawn from 'any', because it works in every state.",
        "'as mermaid' writes a state diagram for Markdown, 'as svg' a picture for browsers, 'as json' every transition with its count. 'to FILE' writes to a file; without 'as', the name of the file sets the format. 'rehearse test --coverage' counts the transitions of whole folders of transcripts.",
      ],
      arguments: [.many(.slot(Slot<Located<String>>.member))],
      clauses: [
        .sequence([
          .keyword("as"),
          .oneOf(StatesFormat.allCases.map { .keyword($0.rawValue) }),
        ]),
        .sequence([.keyword("to"), .slot(Slot<Located<String>>.file)]),
      ],
      meanings: [
        "mermaid": "a diagram for Markdown pages", "svg": "a picture for browsers",
        "as": "another format", "to": "into a file", "text": "the default picture",
        "json": "every transition with its count", "ascii": "without Unicode's lines",
      ],
      effects: [.looks, .fitsWidth],
      clauseEffects: ["to": .writesFile],
      examples: [
        """
        > process sync policy remoteContent
        > run sync after 1s
             0.000s  sync  idle → running #1
        > settle
             1.000s  sync  running #1 → finished
        > states sync to sync.svg
          wrote 139 lines to sync.svg
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let diagrams = try session.stateDiagrams(of: arguments.all(.member))
    let format = try StatesFormat(asked: arguments)
    let lines = session.lines(of: diagrams, as: format)
    guard let file = arguments[.file] else {
      for line in lines { session.output.print(line) }
      return
    }
    try session.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: file)
    session.output.print(
      "wrote \("line".counted(lines.count)) to \(file.value.escapingControls)"
    )
  }
}

/// A format of state diagrams.
private enum StatesFormat: String, CaseIterable {
  case text, ascii, mermaid, svg, json

  /// The extensions of its files.
  private var endings: [String] {
    switch self {
    case .text: ["txt"]
    case .ascii: []
    case .mermaid: ["mmd", "mermaid"]
    case .svg, .json: [rawValue]
    }
  }

  /// Returns the format that the command or its file names; text if there is none.
  init(asked arguments: Arguments) throws(Diagnostic) {
    let named = Self.allCases.first { arguments.has($0.rawValue) }
    let file = arguments[.file]?.value.split(separator: "/").last ?? ""
    guard named == nil, file.dropFirst().contains(".") else {
      self = named ?? .text
      return
    }
    let fitting = Self.allCases.first { $0.endings.contains { file.hasSuffix("." + $0) } }
    guard let fitting else {
      throw Diagnostic(
        .expected(
          "a file that ends in .txt, .mmd, .mermaid, .svg or .json",
          found: String(file).printable(atMost: 30)
        ),
        at: arguments[.file]?.span ?? 0..<0,
        hint: "'as text' writes text into any file"
      )
    }
    self = fitting
  }
}

@MainActor extension Session {
  /// Returns the diagrams of the named members, or of all that have states: one for each policy
  /// that a member had.
  fileprivate func stateDiagrams(of names: [Located<String>]) throws(Diagnostic) -> [StateDiagram] {
    var lanes: [Int] = []
    for name in names {
      let member = try member(name)
      guard history.lane(member.lane)?.machine != nil else {
        throw member.isConstant
          ? Diagnostic(
            .wrongMember(name.value, is: "constant", needed: "\(member.word) that moves"),
            at: name.span
          ) : member.unsuited("loadable or a process", at: name.span)
      }
      if let index = history.laneNumbers.index(of: member.lane), !lanes.contains(index) {
        lanes.append(index)
      }
    }
    if names.isEmpty {
      lanes = history.recording.lanes.indices.filter { history.recording.lanes[$0].machine != nil }
    }
    var diagrams: [StateDiagram] = []
    for lane in lanes { diagrams += stateDiagrams(ofLane: lane) }
    return diagrams
  }

  private func stateDiagrams(ofLane index: Int) -> [StateDiagram] {
    let lane = history.recording.lanes[index]
    let counts = TransitionCounts(history.recording, lanes: [index])
    return history.recording.machines(of: index).map { machine in
      StateDiagram(
        title: lane.name,
        machine: machine,
        initial: machine == lane.machine ? lane.phase : nil,
        counts: counts.machines[machine] ?? [:],
        possible: MachineCatalog.transitions(of: machine)
      )
    }
  }

  fileprivate func lines(of diagrams: [StateDiagram], as format: StatesFormat) -> [String] {
    if format == .json { return [StateDiagram.json(diagrams)] }
    guard !diagrams.isEmpty else { return ["nothing to draw: no member with states yet"] }
    let note = history.recording.omitted.note(inWords: options.text)
    switch format {
    case .mermaid: return StateDiagram.mermaid(diagrams) + (note.map { ["  %% " + $0] } ?? [])
    case .svg: return StateDiagram.svg(diagrams).split(separator: "\n").map(String.init)
    case .text, .ascii, .json:
      let style: TextTimeline.Style = format == .ascii ? .ascii : .unicode
      return diagrams.flatMap { $0.lines(width: options.width - 2, style: style) }
        + (note.map { ["counted since then: " + $0] } ?? [])
    }
  }
}
