import ArgumentParser
import MockHTTP
import Rehearsal

struct HarCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "har",
    abstract: "Turn a browser's recording into routes.",
    discussion: UsageText.discussion(
      """
      The file is what 'Save all as HAR' in a browser's network panel writes. Routes are printed as \
      commands, one a line, or written with --to, the large bodies in files beside. Secrets \
      (cookies, tokens, passwords) are masked; look through the result all the same before it is \
      committed.
      """,
      [
        "har app.har --host api.example.com": "print the routes of one host",
        "har app.har --to routes.rehearse": "write them, and the large bodies beside",
      ]
    )
  )

  @Argument(
    help: "The recording, a HAR 1.2 file of up to 100 MB.",
    completion: .file(extensions: ["har"])
  )
  var file: String

  @Option(
    help: ArgumentHelp("Write the routes into ROUTES, and bodies beside it.", valueName: "ROUTES")
  )
  var to: String?

  @Flag(help: "Leave cookies, tokens and passwords as they were recorded.")
  var keepSecrets = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Take requests to this host only. May be given several times.")
  )
  var host: [String] = []

  @Flag(help: "Replace files that are there already.")
  var force = false

  @OptionGroup var json: JSONFlag

  func validate() throws {
    if force, to == nil { throw ValidationError("--force goes with --to.") }
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
      "'\(file)' holds nothing that could become a route",
      hint: host.isEmpty ? routes.summary.last : "its hosts are " + Self.hosts(of: traffic)
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
