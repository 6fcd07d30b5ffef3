import ArgumentParser
import FetchProtocol
import MockHTTP
import MockHTTPServer
import Rehearsal
import Script

/// The subcommand `serve`: serves or records routes until a signal; its address, hosts and warnings.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "serve",
    abstract: "Serve the routes of a script on a socket, in real time.",
    discussion: UsageText.discussion(
      """
      The script has one 'route' command per line; 'help route' in the shell explains it. The first \
      line of output is the URL, and each request prints a line when it has ended. Ctrl-C \
      ends the server.

      With --record, requests are forwarded to another server. At the end, its responses are \
      written as routes to the file of --to, or printed.
      """,
      [
        "serve routes.rehearse --port 8080": "serve at http://127.0.0.1:8080",
        "serve --record http://localhost:3000 --to routes.rehearse":
          "forward requests to a server and write its responses as routes",
      ]
    )
  )

  @Argument(help: "Script with routes.", completion: .file(extensions: ["rehearse"]))
  var routes: String?

  @Option(
    help: ArgumentHelp(
      "Server to forward requests to, as http://HOST:PORT. Its responses are recorded.",
      valueName: "UPSTREAM"
    )
  )
  var record: String?

  @Option(
    help: ArgumentHelp(
      "File for the recorded routes. Large bodies are written to its folder.",
      valueName: "ROUTES"
    )
  )
  var to: String?

  @Flag(help: "Do not mask recorded cookies, tokens and passwords.")
  var keepSecrets = false

  @Flag(help: "Replace existing files.")
  var force = false

  @Option(
    help: ArgumentHelp("Port. 0 is any free port.", valueName: "N")
  )
  var port = 0

  @Option(
    help: ArgumentHelp(
      "IP address to listen at. Every machine that reaches it can request the routes.",
      valueName: "ADDRESS"
    )
  )
  var bind = "127.0.0.1"

  @Option(
    name: .customLong("host"),
    parsing: .singleValue,
    help: ArgumentHelp(
      "Host name to accept in the 'Host' field of requests. 'localhost', IP addresses and the names in routes are always accepted. May be repeated.",
      valueName: "NAME"
    )
  )
  var hosts: [String] = []

  @Option(help: ArgumentHelp("Random seed for delays and failures.", valueName: "N"))
  var seed: UInt64 = 0

  @Flag(help: "Do not print requests.")
  var quiet = false

  @OptionGroup var json: JSONFlag

  func validate() throws {
    if (routes == nil) == (record == nil) {
      throw ValidationError("name a script of routes, or a server with --record")
    }
    if record == nil, to != nil || keepSecrets {
      throw ValidationError("--to and --keep-secrets need --record")
    }
    if to == nil, force { throw ValidationError("--force needs --to") }
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

  // MARK: Servers

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
      throw SubcommandFailure(
        "'\(url)' is not the URL of a server",
        hint: "write it as http://localhost:3000"
      )
    }
    if let (problem, hint) = client.missingHelper {
      throw SubcommandFailure(problem, hint: hint)
    }
    // The user named this host, so requests to it are allowed.
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

  /// Listens until a signal arrives.
  private func serve(by socket: MockHTTPServer, _ lines: ServeLines) throws(SubcommandFailure) {
    OpenFiles.allowMany()
    // Threads that start after this one do not receive the signals.
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
    warning: every machine that reaches this address can request these routes
    hint: without --bind, only programs on this machine can\n
    """
}
