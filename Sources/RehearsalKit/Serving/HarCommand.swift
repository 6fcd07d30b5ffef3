import ArgumentParser
import MockHTTP
import Rehearsal

/// The subcommand `har`: which hosts of a HAR file become routes, whether secrets are masked, and where they are
/// written.
struct HarCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "har",
    abstract: "Convert a browser's HAR recording into routes.",
    discussion: UsageText.discussion(
      """
      'Save all as HAR' in a browser's network panel writes the file. Routes are printed as commands, \
      one per line. With --to they are written to a file, and large bodies to files in the same folder. \
      Cookies, tokens and passwords are masked. Still read the result before you commit it.
      """,
      [
        "har app.har --host api.example.com": "print the routes of one host",
        "har app.har --to routes.rehearse": "write the routes and the large bodies",
      ]
    )
  )

  @Argument(
    help: "HAR 1.2 file of at most 100 MB.",
    completion: .file(extensions: ["har"])
  )
  var file: String

  @Option(
    help: ArgumentHelp(
      "File for the routes. Large bodies are written to its folder.",
      valueName: "ROUTES"
    )
  )
  var to: String?

  @Flag(help: "Do not mask cookies, tokens and passwords.")
  var keepSecrets = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Host whose requests become routes. May be repeated. (default: all)")
  )
  var host: [String] = []

  @Flag(help: "Replace existing files.")
  var force = false

  @OptionGroup var json: JSONFlag

  func validate() throws {
    if force, to == nil { throw ValidationError("--force needs --to") }
  }

  func run() throws {
    do throws(SubcommandFailure) {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      let made = RouteText(try routes(), from: name)
      if json.isOn { StandardStreams.write(JSONFlag.begin) }
      guard let to else { return json.isOn ? made.printJSON() : made.print() }
      let target = RouteFiles(path: to)
      try target.write(made.routes, text: made.text, replacing: force)
      StandardStreams.write(
        json.isOn
          ? made.written(to: to).text : "wrote \(target.name(with: made.routes)): \(made.words)\n"
      )
    } catch {
      StandardStreams.write(error.text, to: .error)
      throw error.exit.asError
    }
  }

  // MARK: Reading

  private func routes() throws(SubcommandFailure) -> TrafficRoutes {
    let traffic = try traffic()
    var options = TrafficOptions()
    options.keepingSecrets = keepSecrets
    options.hosts = host
    options.choosePlace(of: to.map { RouteFiles(path: $0).stem })
    let routes = traffic.makeRoutes(options)
    guard routes.routes.isEmpty else { return routes }
    throw SubcommandFailure(
      "'\(file)' has no request that could become a route",
      hint: host.isEmpty ? routes.summary.last : "the hosts in it are " + Self.hosts(of: traffic)
    )
  }

  private static func hosts(of traffic: Traffic) -> String {
    traffic.hosts.prefix(10).joined(separator: ", ")
  }

  private func traffic() throws(SubcommandFailure) -> Traffic {
    let limit = Traffic.limitInBytes
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try FileBytes.readAny(file, limitInBytes: limit)
    } catch {
      if error == .tooLarge(limitInBytes: limit) {
        throw failure(HARProblem(reason: .tooLarge(limitInBytes: limit), place: nil))
      }
      throw SubcommandFailure("cannot read '\(file)': \(error.sentence)", hint: nil)
    }
    do throws(HARProblem) {
      return try Traffic(har: bytes)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ problem: HARProblem) -> SubcommandFailure {
    SubcommandFailure("cannot read '\(file)': \(problem)", hint: problem.hint)
  }
}
