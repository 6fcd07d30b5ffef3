import ArgumentParser
import MockHTTP
import MockHTTPServer
import Rehearsal
import Script

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the routes of a script on a socket, in real time.",
    discussion: """
      The script holds a 'route' command a line; 'help route' in the shell explains them. The first \
      line of output says where it listens, and each request gets a line when it has ended. Ctrl-C \
      ends it.
      """
  )

  @Argument(help: "A script of routes.", completion: .file())
  var routes: String

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

  @Flag(help: "Print each request as a line of JSON.")
  var json = false

  func run() throws {
    let script: RouteScript
    do throws(RouteScript.Mistake) {
      script = try RouteScript(routes)
    } catch {
      throw Self.usage(error.lines)
    }
    let server = MockServer(seed: seed)
    for route in script.routes { server.add(route) }
    let lines = ServeLines(isJSON: json, isQuiet: quiet)
    let socket = MockHTTPServer(server, options: options, observer: lines.add)
    try serve(by: socket, lines)
  }

  private var options: ServeOptions {
    var options = ServeOptions()
    options.address = bind
    options.hosts = Set(hosts.map { $0.lowercased() })
    return options
  }

  /// Listens until a signal comes.
  private func serve(by socket: MockHTTPServer, _ lines: ServeLines) throws {
    OpenFiles.allowMany()
    // Threads that begin from here on leave the signals to this one.
    let signals = WaitedSignals()
    do throws(ServeProblem) {
      let port = try socket.start(port: port)
      if !isLoopback { StandardStreams.write(Self.warning, to: .error) }
      StandardStreams.write("listening on http://\(bracketed):\(port)\n")
    } catch {
      throw Self.usage(["error: \(error.sentence.escapingControls)", "hint: \(error.hint)"])
    }
    lines.print(whenDone: signals.wake)
    signals.waitForEnd()
    socket.stop()
    lines.end()
    signals.waitForWake(seconds: 1)
    if !json { StandardStreams.write(lines.summary + "\n") }
  }

  private var isLoopback: Bool { bind.hasPrefix("127.") || bind == "::1" }
  private var bracketed: String { bind.contains(":") ? "[\(bind)]" : bind }

  private static let warning = """
    warning: whoever reaches this machine over the network can ask these routes
    hint: without --bind only programs on this machine can\n
    """

  private static func usage(_ lines: [String]) -> ArgumentParser.ExitCode {
    StandardStreams.write(lines.map { $0 + "\n" }.joined(), to: .error)
    return ProgramExit.usage.asError
  }
}
