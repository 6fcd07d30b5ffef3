import Script
import Timelines

extension ShellCommand {
  static let states = ShellCommand(
    definition: CommandDefinition(
      "states",
      topic: .looking,
      summary: "Draws the states of members, and which ways between them were taken.",
      details: [
        "An arrow is where a member stood, what happened, and where that took it. Those that were taken are solid, with how often; the dotted ones are what its policy lets happen besides, and never did. 'any' stands for every state: what is set by hand does not depend on it.",
        "'as mermaid' writes a state diagram for Markdown, 'as svg' a picture that needs nothing else, 'as json' every arrow with its count; 'to FILE' writes it into a file. 'rehearse test --coverage' counts the arrows of whole folders of transcripts.",
      ],
      arguments: [.many(.slot(Slot<Located<String>>.member))],
      clauses: [
        .sequence([
          .keyword("as"),
          .oneOf([
            .keyword("text"), .keyword("ascii"), .keyword("mermaid"), .keyword("svg"),
            .keyword("json"),
          ]),
        ]),
        .sequence([.keyword("to"), .slot(Slot<Located<String>>.file)]),
      ],
      fitsWidth: true,
      onlyLooks: true,
      examples: [
        """
        > process sync policy remoteContent
        > run sync after 1s
             0.000s  sync  idle → running #1
        > settle
             1.000s  sync  running #1 → finished
        > states sync as svg to sync.svg
          wrote 139 lines to sync.svg
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let diagrams = try session.stateDiagrams(of: arguments.all(.member))
    let lines = session.lines(of: diagrams, arguments)
    guard let file = arguments[.file] else {
      for line in lines { session.emit(line) }
      return
    }
    try session.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: file)
    session.emit(
      "wrote \(lines.count) line\(lines.count == 1 ? "" : "s") to \(file.value.escapingControls)"
    )
  }
}

@MainActor extension Session {
  /// The diagrams of the members that are named, or of all that have states: one for each policy that a
  /// member had.
  fileprivate func stateDiagrams(of names: [Located<String>]) throws(Diagnostic) -> [StateDiagram] {
    var lanes: [Int] = []
    for name in names {
      let member = try member(name)
      guard recording.lanes[member.lane].machine != nil else {
        throw member.isConstant
          ? Diagnostic(
            .wrongMember(name.value, is: "constant", needed: "\(member.word) that moves"),
            at: name.span
          ) : member.unsuited("loadable or a process", at: name.span)
      }
      if !lanes.contains(member.lane) { lanes.append(member.lane) }
    }
    if names.isEmpty {
      lanes = recording.lanes.indices.filter { recording.lanes[$0].machine != nil }
    }
    var diagrams: [StateDiagram] = []
    for lane in lanes { diagrams += stateDiagrams(ofLane: lane) }
    return diagrams
  }

  private func stateDiagrams(ofLane index: Int) -> [StateDiagram] {
    let lane = recording.lanes[index]
    let counts = ArrowCounts(recording, lanes: [index])
    return recording.machines(of: index).map { machine in
      StateDiagram(
        title: lane.name,
        machine: machine,
        initial: machine == lane.machine ? lane.phase : nil,
        counts: counts.machines[machine] ?? [:],
        possible: machines.arrows(of: machine)
      )
    }
  }

  fileprivate func lines(of diagrams: [StateDiagram], _ arguments: Arguments) -> [String] {
    if arguments.has("json") { return [StateDiagram.json(diagrams)] }
    guard !diagrams.isEmpty else { return ["nothing to draw: no member with states yet"] }
    if arguments.has("mermaid") { return StateDiagram.mermaid(diagrams) }
    if arguments.has("svg") {
      return StateDiagram.svg(diagrams).split(separator: "\n").map(String.init)
    }
    let style: TextTimeline.Style = arguments.has("ascii") ? .ascii : .unicode
    return diagrams.flatMap { $0.lines(width: max(40, width - 2), style: style) }
  }
}
