import ArgumentParser
import FetchProtocol
import MockHTTP
import MockHTTPServer
import Rehearsal
import Script

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "serve",
    abstract: "Serve the routes of a script on a socket, in real time.",
    discussion: UsageText.discussion(
      """
      The script holds a 'route' command a line; 'help route' in the shell explains them. The first \
      line of output says where it listens, and each request gets a line when it has ended. Ctrl-C \
      ends it. With --record another server is asked instead of a script, and what it answers is \
      written as routes when the recording ends, or printed without --to.
      """,
      [
        "serve routes.rehearse --port 8080": "answer at http://127.0.0.1:8080",
        "serve --record http://localhost:3000 --to routes.rehearse":
          "stand before a server, and write what it answers",
      ]
    )
  )

  @Argument(help: "A script of routes.", completion: .file(extensions: ["rehearse"]))
  var routes: String?

  @Option(
    help: ArgumentHelp(
      "Ask this server, http://HOST:PORT, and record what it answers.",
      valueName: "UPSTREAM"
    )
  )
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Write what was recorded into ROUTES, and bodies beside it.",
      valueName: "ROUTES"
    )
  )
  var to: String?

  @Flag(help: "Record cookies, tokens and passwords as they are.")
  var keepSecrets = false

  @Flag(help: "Replace files that are there already.")
  var force = false

  @Option(
    help: ArgumentHelp("Listen at this port; by default at one that is free.", valueName: "N")
  )
  var port = 0

  @Option(
    help: ArgumentHelp(
      "Listen at this IP address of the machine; anybody who reaches it reaches the routes.",
      valueName: "ADDRESS"
    )
  )
  var bind = "127.0.0.1"

  @Option(
    name: .customLong("host"),
    parsing: .singleValue,
    help: ArgumentHelp(
      "Answer requests to this name too, beside localhost. May be given several times.",
      valueName: "NAME"
    )
  )
  var hosts: [String] = []

  @Option(help: ArgumentHelp("Draw what is left to chance by this number.", valueName: "N"))
  var seed: UInt64 = 0

  @Flag(help: "Print no line for each request.")
  var quiet = false

  @OptionGroup var json: JSONFlag

  func validate() throws {
    if (routes == nil) == (record == nil) {
      throw ValidationError("Name a script of routes, or a server with --record.")
    }
    if record == nil, to != nil || keepSecrets {
      throw ValidationError("--to and --keep-secrets go with --record.")
    }
    if to == nil, force { throw ValidationError("--force goes with --to.") }
  }

  func run() throws {
    let isMasking = record != nil && !keepSecrets
    let lines = ServeLines(isJSON: json.isOn, isQuiet: quiet, isMasking: isMasking)
    do throws(SubcommandFailure) {
      if let routes { return try serve(by: socket(of: routes, lines), lines) }
      if let record { try serve(recording: record, lines) }
    } catch {
      StandardStreams.write(error.text, to: .error)
      throw error.exit.asError
    }
  }

  private func serve(recording url: String, _ lines: ServeLines) throws(SubcommandFailure) {
    let recorder = TrafficRecorder(source: url, keepingSecrets: keepSecrets)
    let files = to.map { RouteFiles(path: $0) }
    try files?.check(replacing: force)
    try serve(by: socket(asking: url, recorder, lines), lines)
    guard let files else { return recorder.print(json: json.isOn) }
    StandardStreams.write(try recorder.write(to: files, replacing: force, json: json.isOn))
  }

  // MARK: Who answers

  private func socket(
    of path: String,
    _ lines: ServeLines
  ) throws(SubcommandFailure) -> MockHTTPServer {
    do throws(RouteScript.Mistake) {
      let server = MockServer(seed: seed)
      for route in try RouteScript(path).routes { server.add(route) }
      return MockHTTPServer(server, options: options, observer: lines.add)
    } catch {
      throw SubcommandFailure(lines: error.lines)
    }
  }

  private func socket(
    asking url: String,
    _ recorder: TrafficRecorder,
    _ lines: ServeLines
  ) throws(SubcommandFailure) -> MockHTTPServer {
    let client = FetchClient()
    guard let upstream = Upstream(url, transport: client, sink: recorder.add) else {
      throw SubcommandFailure("'\(url)' is no server", hint: "write it as http://localhost:3000")
    }
    if let (problem, hint) = client.missingHelper {
      throw SubcommandFailure(problem, hint: hint)
    }
    // The user who names it here wants it to be asked.
    client.allow(upstream.host)
    return MockHTTPServer(upstream: upstream, options: options, observer: lines.add)
  }

  private var options: ServeOptions {
    var options = ServeOptions()
    options.address = address
    options.hosts = Set(hosts.map { $0.lowercased() })
    return options
  }

  // MARK: Serving

  /// Listens until a signal comes.
  private func serve(by socket: MockHTTPServer, _ lines: ServeLines) throws(SubcommandFailure) {
    OpenFiles.allowMany()
    // Threads that begin from here on leave the signals to this one.
    let signals = WaitedSignals()
    do throws(ServeProblem) {
      let port = try socket.start(port: port)
      if !isLoopback { StandardStreams.write(Self.warning, to: .error) }
      let url = "http://\(bracketed):\(port)"
      StandardStreams.write(
        json.isOn
          ? JSONFlag.begin + JSONLine("listening").with("url", url).text : "listening on \(url)\n"
      )
    } catch {
      throw SubcommandFailure(error.sentence, hint: error.hint)
    }
    lines.print(whenDone: signals.wake)
    signals.waitForEnd()
    socket.stop()
    lines.end()
    signals.waitForWake(seconds: 1)
    StandardStreams.write(json.isOn ? lines.jsonSummary : lines.summary + "\n")
  }

  private var address: String { bind.lowercased() == "localhost" ? "127.0.0.1" : bind }
  private var isLoopback: Bool { address.hasPrefix("127.") || address == "::1" }
  private var bracketed: String { address.contains(":") ? "[\(address)]" : address }

  private static let warning = """
    warning: whoever reaches this machine over the network can ask these routes
    hint: without --bind only programs on this machine can\n
    """
}
