import Script

extension ShellCommand {
  static let serve = ShellCommand(
    definition: CommandDefinition(
      "serve",
      topic: .http,
      summary: "Puts the routes on a socket of this machine.",
      details: [
        "It listens on 127.0.0.1, where only programs on this machine reach it, at the port given or at one that is free; '\(ProgramName.current) serve FILE --bind ADDRESS' listens elsewhere, for whoever reaches this machine. There time is real: delays take as long as they say, and a reset is a real one. 'load NAME from PATH over socket' asks it. 'serve stop' ends it; the end of the session does too."
      ],
      arguments: [.optional(.oneOf([.keyword("stop"), .slot(port)]))],
      meanings: ["stop": "takes the routes off the socket"],
      effects: [.changes, .opensNetwork],
      examples: [
        """
        > route GET /posts 200 json []
        > serve
          serving on http://127.0.0.1:{{PORT:[0-9]+}}
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
    // Which port is free differs in every run.
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
      summary: "Allows requests to a host beyond this machine.",
      details: [
        "Without it no request leaves this machine. Only a person can allow a host, at the prompt or by '--allow-network HOST' on the command line: no script and no transcript can."
      ],
      arguments: [.keyword("network"), .slot(host)],
      effects: [.changes, .opensNetwork],
      examples: [
        """
        > allow network api.example.com
          error: 'allow' is not for files
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
    session.output.print("requests to \(host.value) may leave this machine")
  }

  private static let host = Slot<Located<String>>("host", "HOST") {
    parser throws(Diagnostic) in
    parser.expect(.sample("a host", example: "api.example.com"))
    return try parser.word("a host, like api.example.com")
  }
}
