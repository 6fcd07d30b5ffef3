import Loading
import RehearsalBase
import Script
import Timelines

extension ShellCommand {
  static let help = ShellCommand(
    definition: CommandDefinition(
      "help",
      topic: .session,
      summary: "Explains commands and topics, searches the help, runs examples.",
      details: [
        "Without arguments, it lists commands and topics. A topic is a page, a heading of the list, or an operator of pipes. 'help scene NAME' explains a scene.",
        "'help search WORDS' finds the pages that have all words, or words that begin with them. The best matches come first.",
        "'help NAME run' runs the first example in a new session, with its own files and without disk and network; 'run 2' runs the second. Your session does not change.",
      ],
      arguments: [
        .optional(
          .oneOf([
            .sequence([
              .keyword("scene"),
              .optional(.oneOf([runSyntax, .slot(Slot<Located<String>>.scene)])),
            ]),
            .sequence([.keyword("search"), .optional(.slot(wordsSlot))]),
            .sequence([.slot(topicSlot), .optional(runSyntax)]),
          ])
        )
      ],
      meanings: ["run": "runs an example", "search": "finds the pages with a word"],
      effects: [.looks, .fitsWidth, .typedOnly, .printsPrompts],
      examples: [
        """
        > help now
          now
            Prints the virtual time of the session.
            For example:
              > now
                0.000s
            'help now run' runs it.
        """,
        """
        > help search debounce
          debounce       sends a value after D without another
          ...
        """,
        """
        > help now run
          > now
            0.000s
        """,
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let scene = arguments.span(of: "scene").map { Located("scene", at: $0) }
    let search = arguments.span(of: "search").map { Located("search", at: $0) }
    if let words = arguments[wordsSlot] { return try session.search(words) }
    if let name = arguments[.scene] { return try session.explain(scene: name) }
    guard let topic = scene ?? search ?? arguments[topicSlot] else {
      return session.print { HelpText.overview(of: session.commands.available, width: $0) }
    }
    guard let span = arguments.span(of: "run") else { return try session.explain(topic) }
    try session.performExample(of: topic, number: arguments[numberSlot], at: span)
  }

  private static let topicSlot = Slot<Located<String>>("topic", "TOPIC", expecting: [.topic]) {
    parser throws(Diagnostic) in try parser.word("a command or a topic")
  }

  private static let wordsSlot = Slot<[Located<String>]>("words", "WORDS") {
    parser throws(Diagnostic) in
    var words: [Located<String>] = []
    repeat {
      words.append(try parser.text("words to look for", example: "timeout"))
    } while !parser.isAtEnd
    return words
  }

  private static let runSyntax = Syntax.sequence([
    .keyword("run"), .optional(.slot(numberSlot)),
  ])

  private static let numberSlot = Slot<Located<Int>>.integer(
    "number",
    "the number of an example",
    in: 1...1000,
    example: "2"
  )
}

@MainActor extension Session {
  /// Prints help, wrapped to the width of the output.
  fileprivate func print(_ lines: (_ width: Int) -> [String]) {
    for line in lines(helpWidth) { output.print(line) }
  }

  /// Maximum width of help in columns. Longer lines are hard to read.
  private var helpWidth: Int { min(options.width - 2, 100) }

  fileprivate func explain(scene name: Located<String>) throws(Diagnostic) {
    let scene = try scenes.find(name)
    print { HelpText.lines(on: scene, width: $0) }
  }

  fileprivate func explain(_ topic: Located<String>) throws(Diagnostic) {
    let available = commands.available
    guard let lines = HelpText.lines(on: topic.value, of: available, width: helpWidth) else {
      throw noHelp(on: topic)
    }
    for line in lines { output.print(line) }
  }

  /// Returns the error for an unknown page, with a suggestion.
  fileprivate func noHelp(on topic: Located<String>) -> Diagnostic {
    let word = topic.value.printable(atMost: 30)
    let hint =
      topic.value == "search"
      ? "say what to look for, as in 'help search timeout'"
      : topic.value.hasPrefix("operator")
        ? "'help pipes' lists the operators of pipes"
        : hint(forTopic: topic.value)
          ?? pageAdvice(for: topic.value)
    return Diagnostic(
      .unknownTopic(word),
      at: topic.span,
      hint: hint ?? "'help' lists all topics"
    )
  }

  /// Returns advice to read the page of help that is most likely about a word; nil if none is.
  func pageAdvice(for word: String) -> String? {
    guard word.utf8.count > 2 else { return nil }
    // Each run of a search may need this, and most scenes do not have the word.
    let wanted = HelpSearch.words(of: word)
    let scenes = scenes.catalog.filter { scene in
      let texts = ([scene.name, scene.summary] + scene.details).map { $0.lowercased() }
      return wanted.allSatisfy { word in texts.contains { $0.contains(word) } }
    }
    let search = HelpSearch(commands: commands.available, scenes: scenes)
    guard let page = search.findings(for: [word]).first else { return nil }
    return
      "'help \(page.name)' explains it; 'help search \(word.printable(atMost: 30))' finds all pages"
  }

  /// Suggests the topic with a similar name, or the one that the word begins with: 'expect' for
  /// 'expectations'.
  private func hint(forTopic word: String) -> String? {
    let topics = HelpText.topics(with: commands.available)
    if let hint = Suggestion.hint(for: word, in: topics) { return hint }
    let beginnings = topics.filter { $0.utf8.count >= 4 && word.lowercased().hasPrefix($0) }
    return beginnings.max { $0.utf8.count < $1.utf8.count }.map { "did you mean '\($0)'?" }
  }

  /// Suggests how to ask for a part of a page, which has no page itself.
  func namingHelp(_ diagnostic: Diagnostic, in text: String) -> Diagnostic {
    let words = text.split(separator: " ").prefix(3)
    guard case .unexpected(let found) = diagnostic.problem, words.count == 3, words[0] == "help",
      words[1] != "search", words[1] != "scene", words[2] != "run"
    else { return diagnostic }
    let run = "'help \(words[1]) run \(found)' runs an example"
    let search = "'help search \(found)' finds the pages about it"
    return Diagnostic(
      diagnostic.problem,
      at: diagnostic.span,
      hint: Int(found) == nil ? search : run
    )
  }

  fileprivate func search(_ words: [Located<String>]) throws(Diagnostic) {
    let search = HelpSearch(commands: commands.available, scenes: scenes.catalog)
    let findings = search.findings(for: words.map(\.value))
    guard !findings.isEmpty else {
      let span = (words.first?.span.lowerBound ?? 0)..<(words.last?.span.upperBound ?? 0)
      let word = words.map(\.value).joined(separator: " ").printable(atMost: 30)
      throw Diagnostic(
        .unknownTopic(word),
        at: span,
        hint: search.hint(for: words.map(\.value)) ?? "'help' lists all topics"
      )
    }
    print { HelpSearch.lines(on: findings, width: $0) }
  }

  /// Runs an example of a command in a new session, and prints its output.
  fileprivate func performExample(
    of topic: Located<String>,
    number: Located<Int>?,
    at span: Range<Int>
  ) throws(Diagnostic) {
    let command = commands.available.first { $0.definition.verb == topic.value }
    if command == nil { try requireHelp(on: topic) }
    if command?.definition.effects.contains(.opensNetwork) == true {
      throw Diagnostic(
        .noNetwork,
        at: span,
        hint: "the examples need a network; type them yourself"
      )
    }
    let examples = command?.definition.examples ?? []
    let place = (number?.value ?? 1) - 1
    guard examples.indices.contains(place) else {
      throw Diagnostic(
        .noExample(of: topic.value, count: examples.count),
        at: number?.span ?? span,
        hint: examples.isEmpty ? "'help load run' runs an example of 'load'" : nil
      )
    }
    let example = HelpExample(examples[place])
    example.perform(width: options.width - 2, scenes: scenes.catalog) { self.output.print($0) }
    if place + 1 < examples.count {
      output.print("'help \(topic.value) run \(place + 2)' runs the next of \(examples.count).")
    }
  }

  private func requireHelp(on topic: Located<String>) throws(Diagnostic) {
    if HelpText.lines(on: topic.value, of: commands.available, width: 80) == nil {
      throw noHelp(on: topic)
    }
  }
}
