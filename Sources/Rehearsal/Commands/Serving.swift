import Script

extension ShellCommand {
  static let serve = ShellCommand(
    definition: CommandDefinition(
      "serve",
      topic: .http,
      summary: "Serves the routes on a socket of this machine.",
      details: [
        "It listens on 127.0.0.1, which only programs on this machine can reach, at PORT or at a free port. '\(ProgramName.current) serve FILE --bind ADDRESS' listens on another address. Requests over a socket take real time: delays last as long as they say. 'load NAME from PATH over socket' sends a request to it. 'serve stop', or the end of the session, stops the server."
      ],
      problems: [
        "mock server, localhost: serves the routes to other programs"
      ],
      arguments: [.optional(.oneOf([.keyword("stop"), .slot(port)]))],
      meanings: ["stop": "stops the server"],
      effects: [.changes, .opensNetwork],
      examples: [
        """
        > route GET /posts 200 json []
        > serve
          serving on http://127.0.0.1:{{PORT:[0-9]+}}
        # {{PORT:[0-9]+}} is any number
        > loadable posts
        > load posts from /posts over socket
             0.000s  posts  absent → loading #1
        > settle
             0.000s  posts  loading #1 → loaded []
        > serve stop
          no longer serving
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    if arguments.has("stop") {
      let wasServing = session.http.stopServing()
      return session.output.print(wasServing ? "no longer serving" : "nothing is being served")
    }
    let wanted = arguments[port] ?? Located(0, at: 0..<5)
    let place = "serving on http://127.0.0.1:"
    let port = try session.http.serve(port: wanted)
    session.history.amendLatest { $0.reachedOutside = true }
    // A free port differs in each run.
    session.output.print(
      place + "\(port)",
      writtenAs: wanted.value == 0 ? place + "{{PORT:[0-9]+}}" : place + "\(port)"
    )
  }

  private static let port = Slot<Located<Int>>.integer(
    "port",
    "a port",
    placeholder: "PORT",
    in: 0...65535,
    example: "8080"
  )

  static let allow = ShellCommand(
    definition: CommandDefinition(
      "allow",
      topic: .http,
      summary: "Allows requests to a host other than this machine.",
      details: [
        "By default requests reach this machine only. Only a user can allow a host: at the prompt, or with '--allow-network HOST' on the command line. Scripts and transcripts cannot."
      ],
      arguments: [.keyword("network"), .slot(host)],
      effects: [.changes, .opensNetwork],
      examples: [
        """
        > allow network api.example.com
          error: 'allow' cannot be used in a file
            allow network api.example.com
                          ^~~~~~~~~~~~~~~
          hint: start with '--allow-network api.example.com'
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let host = arguments.required(host)
    guard session.execution.sources.isEmpty else {
      throw Diagnostic(
        .notForFiles("allow"),
        at: host.span,
        hint: "type it at the prompt, or start with '--allow-network \(host.value)'"
      )
    }
    try session.http.allow(host)
    session.output.print("requests to \(host.value) are allowed now")
  }

  private static let host = Slot<Located<String>>("host", "HOST") {
    parser throws(Diagnostic) in
    parser.expect(.sample("a host", example: "api.example.com"))
    return try parser.word("a host, like api.example.com")
  }
}
