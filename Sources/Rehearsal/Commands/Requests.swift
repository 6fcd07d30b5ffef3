import MockHTTP
import RehearsalBase
import Script

extension ShellCommand {
  static let requests = ShellCommand(
    definition: CommandDefinition(
      "requests",
      topic: .http,
      summary: "Lists the HTTP requests and their outcomes.",
      details: [
        "A pattern selects requests. The latest 10,000 requests are kept; 100 of them are printed, or N with 'last N'. Requests over a socket have no time, because they take real time."
      ],
      arguments: [.optional(.slot(patternSlot))],
      clauses: [.sequence([.keyword("last"), .slot(last)])],
      meanings: ["last": "only the latest requests"],
      effects: .looks,
      examples: [
        """
        > route GET /posts 200 json [] after 300ms
        > loadable posts
        > load posts from /posts
             0.000s  posts  absent → loading #1
        > in 100ms load posts from /posts
        > settle
             0.100s  posts  loading #1 → loading #2
             0.400s  posts  loading #2 → loaded []
        > requests
          1  0.000s  GET /posts  for posts  cancelled at 0.100s
          2  0.100s  GET /posts  for posts  200 at 0.400s, 2 bytes
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let log = session.http.server.log
    let pattern = arguments[patternSlot]?.value
    let entries = pattern.map { log.entries(matching: $0) } ?? log.entries
    let shown = entries.suffix(arguments[last]?.value ?? 100)
    for entry in shown {
      session.output.print(
        RequestLine(entry: entry, times: session.options.settings.values.times).text
      )
      session.output.addObject(JSONLine(entry))
    }
    let hidden = entries.count - shown.count
    if entries.isEmpty {
      session.output.print(
        pattern.flatMap { log.entries.isEmpty ? nil : "no requests like \($0.targetText)" }
          ?? "no requests yet"
      )
    }
    if hidden > 0 {
      session.output.print(
        "\(hidden) earlier request\(hidden == 1 ? "" : "s"); 'requests last N' shows more"
      )
    }
    if log.cutCount > 0 {
      session.output.print("\(log.cutCount) older requests are no longer kept")
    }
  }

  private static let last = Slot<Located<Int>>.integer(
    "last",
    "a number of requests",
    in: 1...10_000,
    example: "20"
  )

  static let endpoint = ShellCommand(
    definition: CommandDefinition(
      "endpoint",
      topic: .http,
      summary: "Names a request, for 'load … from endpoint NAME'.",
      details: [
        "'load NAME from endpoint posts' sends the request. The numbers begin at 0: 'load NAME from endpoint 0' sends the first. 'list' shows all endpoints."
      ],
      arguments: [.slot(Slot<Located<String>>.newName), .slot(requestSlot)],
      effects: [.changes, .declaresName],
      examples: [
        """
        > route GET /movie/{list} 200 json {"list": "{list}"}
        > endpoint now_playing GET /movie/now_playing
        > endpoint popular GET /movie/popular
        > loadable movies
        > load movies from endpoint popular
             0.000s  movies  absent → loading #1
             0.000s  movies  loading #1 → loaded {"list": "popular"}
        > load movies from endpoint 2
          error: there is no endpoint 2
            load movies from endpoint 2
                                      ^
          hint: there are 2, from 0 to 1
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.newName)
    guard !session.http.endpoints.contains(where: { $0.name == name.value }) else {
      throw Diagnostic(.endpointExists(name.value), at: name.span)
    }
    let spec = arguments.required(requestSlot)
    try session.http.check(spec.value, at: spec.span)
    session.http.endpoints.append((name.value, spec.value))
  }

  private static let requestSlot = Slot<Located<RequestSpec>>("request", "[METHOD] TARGET") {
    parser throws(Diagnostic) in try parser.requestSpec()
  }
}

@MainActor extension Session {
  /// Returns the request that a load names.
  ///
  /// - Throws: a diagnostic if there is no such endpoint, or the request may not be sent.
  func request(_ source: RequestSource) throws(Diagnostic) -> RequestSpec {
    switch source {
    case .spec(let spec):
      try http.check(spec.value, at: spec.span)
      return spec.value
    case .endpoint(let name):
      let endpoints = http.endpoints
      if let index = Int(name.value), endpoints.indices.contains(index) {
        return endpoints[index].spec
      }
      if let endpoint = endpoints.first(where: { $0.name == name.value }) { return endpoint.spec }
      let range =
        endpoints.isEmpty
        ? "'endpoint NAME [METHOD] TARGET' creates one"
        : "there are \(endpoints.count), from 0 to \(endpoints.count - 1)"
      let hint = Suggestion.hint(for: name.value, in: endpoints.map(\.name))
      throw Diagnostic(
        .unknownEndpoint(name.value.printable(atMost: 30)),
        at: name.span,
        hint: Int(name.value) == nil ? hint ?? range : range
      )
    }
  }
}
