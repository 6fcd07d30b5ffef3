import MockHTTP
import RehearsalBase
import Script

extension ShellCommand {
  static let route = ShellCommand(
    definition: CommandDefinition(
      "route",
      topic: .http,
      summary: "Adds a route: how requests are answered.",
      details: [
        "METHOD is GET by default, 'any' for all. A path may have captures: '/users/{id}' for one segment, '{rest...}' for all remaining segments. A query such as '?page={page}&sort' names the items that a request must have. A text, or a string of JSON, may use captures, and {method}, {path}, {query.NAME}, {header.NAME}, {body} and {count}.",
        "Several answers are given one after the other, and the last one is repeated. 'then' changes that: 'cycle' begins again, 'pass' leaves requests to other routes, 'fail' makes them fail. In 'ANSWER or ANSWER', the first is given, and 'explore' tries the others. An answer is a STATUS, then optionally 'json VALUE', 'text \"…\"', 'html \"…\"', 'file NAME' or 'bytes N', 'gzip' before one of these, 'type \"…\"', 'with HEADER \"…\"', 'to LOCATION', 'chunked'. Its body may break: 'cut after N bytes', 'reset after N bytes', 'silent after N bytes', or 'claiming N bytes' for a wrong Content-Length. Or the answer is a fault: 'refused', 'reset', 'empty', 'garbage', 'never', 'tls'.",
        "'after' sets the delay: 'after 300ms', 'after 100ms to 400ms', 'after lognormal 200ms sigma 0.5'. Random delays use the session's seed. 'dripping 20 chunks over 2s' sends the body in pieces. An answer without a delay has the delay of the last answer in the list.",
        "'header NAME \"value\"', 'body containing \"…\"' and 'body json VALUE' are conditions on requests. 'for NAME' answers only requests of this loadable or process. 'help http' explains which of several routes answers.",
      ],
      problems: [
        "mock, stub, fake server: answers requests without a network",
        "latency, slow server: 'after 300ms' delays the answer",
      ],
      arguments: [.slot(routeSlot)],
      meanings: [
        "after": "the delay of the answer", "then": "the action after the last answer",
        "with": "a header field of the answer", "for": "only requests of one member",
        "header": "only requests with this header field", "body": "only requests with this body",
        "to": "the target of a redirect", "any": "all methods",
      ],
      examples: [
        """
        > route GET /posts 503, 200 json [{"id": 1}] after 300ms
        > loadable posts
        > load posts from /posts retry 1
             0.000s  posts  absent → loading #1
        > settle
             0.300s  posts  #1 try 1 of 2 failed: http 503; next at once
             0.600s  posts  loading #1 → loaded [{"id": 1}]
        """,
        """
        > route /users/{id} 200 json {"id": "{id}"}
        > loadable user
        > load user from /users/7
             0.000s  user  absent → loading #1
             0.000s  user  loading #1 → loaded {"id": "7"}
        """,
        """
        > route /posts 200 json [] or 503 or reset
        > loadable posts from /posts
        > schedule 1:1
        > load posts
             0.000s  posts  absent → loading #1
             0.000s  posts  loading #1 → error http 503
        """,
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    var written = arguments.required(routeSlot)
    for file in written.files {
      try written.fill(file, with: try session.bytes(of: file.name))
    }
    session.add(written.route, isOnly: true)
    session.notePlaceholders(in: written.route.pattern.path)
  }

  private static let routeSlot = Slot<WrittenRoute>("route", "[METHOD] PATH ANSWER, …") {
    parser throws(Diagnostic) in try parser.route()
  }

  static let routes = ShellCommand(
    definition: CommandDefinition(
      "routes",
      topic: .http,
      summary: "Lists the routes, numbered, and how many requests each has answered.",
      details: [
        "'to FILE' writes them to a file, as commands. 'from FILE' adds the routes of a browser's HAR export; secrets in it are masked, unless 'with secrets' is given."
      ],
      clauses: [
        .sequence([.keyword("to"), .slot(Slot<Located<String>>.file)]),
        .sequence([
          .keyword("from"), .slot(recording),
          .optional(.sequence([.keyword("with"), .keyword("secrets")])),
        ]),
      ],
      meanings: ["to": "into a file", "from": "from a HAR export"],
      effects: .looks,
      clauseEffects: ["from": [.changes, .readsFile], "to": .writesFile],
      examples: [
        """
        > route GET /posts 200 json []
        > route POST /login reset
        > loadable posts
        > load posts from /posts
             0.000s  posts  absent → loading #1
             0.000s  posts  loading #1 → loaded []
        > routes
          1  GET /posts 200 json []  (1 request)
          2  POST /login reset
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let routes = session.http.server.routes
    if let file = arguments[.file] { return try session.write(routes, to: file) }
    if let file = arguments[recording] {
      return try session.takeRoutes(from: file, keepingSecrets: arguments.has("secrets"))
    }
    if routes.isEmpty { session.output.print("no routes yet; try 'route GET /posts 200 json []'") }
    for route in routes {
      let uses = route.useCount
      let count = uses == 0 ? "" : "  (\("request".counted(uses)))"
      session.output.print("\(route.number)  " + route.route.targetAndAnswers + count)
      session.output.addObject(
        JSONLine("route").with("id", route.number).with("text", route.route.targetAndAnswers)
          .with("requests", uses)
      )
    }
  }

  private static let recording = Slot<Located<String>>("recording", "FILE", expecting: [.file]) {
    parser throws(Diagnostic) in try parser.file()
  }

  static let hold = ShellCommand(
    definition: CommandDefinition(
      "hold",
      topic: .http,
      summary: "Holds answers back until 'release'.",
      details: [
        "It also holds answers to requests in flight. Without a pattern it holds all answers."
      ],
      problems: [
        "latency, slow server, race: holds answers back and releases them in any order"
      ],
      arguments: [.optional(.slot(patternSlot))],
      examples: [
        """
        > route GET /posts 200 json []
        > hold GET /posts
        > loadable posts
        > load posts from /posts
             0.000s  posts  absent → loading #1
        > settle
             0.000s  posts  #1 still waiting, with nothing left to run
        > release
          released 1 request
             0.000s  posts  loading #1 → loaded []
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let everything = RequestPattern(path: PathTemplate(segments: [.rest("path")]))
    guard let pattern = arguments[patternSlot]?.value else {
      return session.http.server.hold(everything)
    }
    let execution = session.execution
    session.http.server.hold(
      pattern,
      command: "'\(execution.commandText.printable(atMost: 200))'\(execution.sourceSuffix)"
    )
  }

  static let release = ShellCommand(
    definition: CommandDefinition(
      "release",
      topic: .http,
      summary: "Releases answers that 'hold' holds back.",
      details: [
        "Without arguments, it releases all answers and holds no more. A pattern releases its answers only. 'release next' releases the oldest held answer; the others stay held."
      ],
      arguments: [.optional(.oneOf([.keyword("next"), .slot(heldSlot)]))],
      meanings: ["next": "the request that has been held longest"],
      examples: [
        """
        > release
          no request was held
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let server = session.http.server
    let count =
      arguments.has("next")
      ? (server.releaseNext() ? 1 : 0) : server.release(arguments[heldSlot]?.value)
    session.output.print(
      count == 0 ? "no request was held" : "released \("request".counted(count))"
    )
  }

  private static let heldSlot = Slot<Located<RequestPattern>>(
    "pattern",
    "[METHOD] PATH",
    expecting: [.target],
    canBegin: { $0.isNextRequestPattern },
    read: { parser throws(Diagnostic) in try parser.requestPattern() }
  )

  /// A pattern for requests: a method and a path.
  static let patternSlot = Slot<Located<RequestPattern>>(
    "pattern",
    "[METHOD] PATH",
    expecting: [.target] + Parser.methodNames.map { .keyword($0) },
    canBegin: { !$0.isAtEnd && !$0.isNext("at") && !$0.bytes[$0.position].isDigit },
    read: { parser throws(Diagnostic) in try parser.requestPattern() }
  )
}

extension Route {
  /// The route without the verb `route`.
  var targetAndAnswers: String {
    String(commandText.dropFirst("route ".count)).identifiable(atMost: 200)
  }
}

@MainActor extension Session {
  /// Prints a note if a path has a placeholder in the spelling of another tool, which is plain text here.
  fileprivate func notePlaceholders(in path: PathTemplate) {
    for case .literal(let text) in path.segments {
      let isName = text.utf8.count > 1 && text.hasPrefix(":")
      guard isName || ["*", "**"].contains(text) else { continue }
      let meant = isName ? "{\(text.dropFirst())}" : text == "*" ? "{name}" : "{rest...}"
      output.print(.note("'\(text)' is plain text in a path; '\(meant)' is a placeholder"))
    }
  }

  /// Maximum size of a file that is the body of an answer, in bytes.
  static let largestBody = 64 << 20

  func bytes(
    of file: Located<String>,
    limitInBytes: Int = largestBody
  ) throws(Diagnostic) -> [UInt8] {
    do throws(FileProblem) {
      return try files.readAny(path(of: file), limitInBytes: limitInBytes)
    } catch {
      throw Diagnostic(
        .cannotRead(file.value.printable(atMost: 80), reason: error.sentence),
        at: file.span
      )
    }
  }

  func forgetRoute(_ number: Located<Int>) throws(Diagnostic) {
    guard !http.server.remove(number.value) else { return }
    throw Diagnostic(
      .unknownRoute(number.value),
      at: number.span,
      hint: "'routes' lists them with their numbers"
    )
  }
}
