import PseudoTerminal

extension Benchmark {
  /// The processing time of the program from a key at the prompt until it is on the screen, with its colours and its hint.
  static let keys = Benchmark(name: "keys") {
    do {
      let empty = try typing(members: 2, loads: 0)
      let full = try typing(members: 10_000, loads: 50_000)
      for keys in [Keys.ofCommand, .completion] {
        Table.print(
          Row(
            what: keys.what + " with 10,000 members and 100,000 events",
            samples: try keys.samples(in: full),
            unit: .seconds,
            goal: .atMost(0.002),
            floor: Row.Floor(
              what: "the same with two members",
              samples: try keys.samples(in: empty)
            )
          )
        )
      }
    } catch {
      Table.note("error: \(error)")
    }
  }

  /// Starts the program with a number of members, and two events of each load.
  private static func typing(members: Int, loads: Int) throws -> TerminalSession {
    var script = (0..<members).map { "loadable m\($0)\n" }.joined()
    for number in 0..<loads { script += "load m\(number % members) 1\n" }
    guard let file = ScriptFile(script) else {
      throw TerminalSession.Failure(reason: "the script cannot be written", screen: [])
    }
    let terminal = try TerminalSession(
      BuildProducts.path(of: "rehearse"),
      environment: ["TERM": "xterm", "HOME": "/dev/null", "LC_ALL": "C.UTF-8"]
    )
    terminal.companion = file
    try terminal.wait(forInput: "> ")
    try terminal.type("source \(file.path)\r")
    try terminal.wait(for: "the end of the script") { $0.text.count > 2 && $0.currentLine == ">" }
    return terminal
  }
}

/// Keys that are typed repeatedly.
private struct Keys {
  let what: String
  /// The expected input line after each key.
  let steps: [(key: String, input: String)]

  static let ofCommand = Keys(
    what: "a key echoed",
    steps: "load m9 \"x\" after 2s stub".indices.map { index in
      let text = "load m9 \"x\" after 2s stub"
      return (String(text[index]), "> " + text[...index])
    }
  )

  static let completion = Keys(
    what: "a member's name completed",
    steps: [("load ", "> load "), ("\t", "> load m")]
  )

  func samples(in terminal: TerminalSession) throws -> Samples {
    var figures: [Double] = []
    for _ in 0..<10 {
      let start = terminal.processorSeconds
      for step in steps {
        try terminal.type(step.key)
        try terminal.wait(forInput: step.input)
      }
      try terminal.type("\u{15}")
      try terminal.wait(forInput: "> ")
      figures.append((terminal.processorSeconds - start) / Double(steps.count + 1))
    }
    return Samples(figures)
  }
}
