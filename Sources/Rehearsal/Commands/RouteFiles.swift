import MockHTTP
import RehearsalBase
import Script

/// Performs `routes to FILE` and `routes from FILE`: writes routes with their bodies, and reads HAR files.
@MainActor extension Session {
  /// Writes routes as commands. Also writes the files that they name, next to it, if they do not
  /// exist.
  func write(_ routes: [RegisteredRoute], to file: Located<String>) throws(Diagnostic) {
    let text = routes.map { $0.route.commandText + "\n" }.joined()
    try requireOwn(file)
    try write(Array(text.utf8), to: file)
    var written = 0
    for body in routes.flatMap(\.route.files) where !body.name.contains("/") {
      let beside = Located(files.path(body.name, from: file.value), at: file.span)
      guard (try? files.readAny(path(of: beside), limitInBytes: Self.largestBody)) == nil else {
        continue
      }
      try write(body.bytes, to: beside)
      written += 1
    }
    output.print(
      "wrote \("route".counted(routes.count))"
        + (written > 0 ? ", \("file".counted(written))" : "")
        + " to \(file.value.escapingControls)"
    )
  }

  /// Throws an error if the file exists and this session has not written it: routes written by hand
  /// would be lost.
  private func requireOwn(_ file: Located<String>) throws(Diagnostic) {
    let path = path(of: file)
    let identity = files.identity(of: path)
    if http.writtenFiles.insert(identity).inserted,
      let bytes = try? files.readAny(path, limitInBytes: Self.largestBody), !bytes.isEmpty
    {
      http.writtenFiles.remove(identity)
      throw Diagnostic(
        .cannotWrite(file.value.printable(atMost: 80), reason: FileProblem.notEmpty.sentence),
        at: file.span,
        hint: "choose another name"
      )
    }
  }

  /// Adds the routes of a browser's HAR export.
  func takeRoutes(from file: Located<String>, keepingSecrets: Bool) throws(Diagnostic) {
    let bytes = try bytes(of: file, limitInBytes: Traffic.limitInBytes)
    let traffic: Traffic
    do throws(HARProblem) {
      traffic = try Traffic(har: bytes)
    } catch {
      throw Diagnostic(
        .cannotRead(file.value.printable(atMost: 80), reason: error.description.escapingControls),
        at: file.span,
        hint: error.hint
          ?? "FILE is a HAR export of a browser; 'source FILE' runs a file of commands"
      )
    }
    var options = TrafficOptions()
    options.keepingSecrets = keepingSecrets
    let made = traffic.makeRoutes(options)
    for route in made.routes { add(route) }
    output.print(
      "took \("route".counted(made.routes.count)) from \("exchange".counted(made.exchangeCount))"
    )
    for (reason, count) in made.leftOut.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      output.print("left out \(count) \(reason.rawValue)")
    }
    for (kind, count) in made.masked.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      output.print("masked \("secret".counted(count)) \(kind.rawValue)")
    }
  }
}

extension Route {
  /// The files that are bodies of the answers.
  fileprivate var files: [(name: String, bytes: [UInt8])] {
    answers.flatMap(\.choices).compactMap { answer in
      guard case .response(let response) = answer.outcome,
        case .file(let name, let bytes) = response.body.content
      else { return nil }
      return (name, bytes)
    }
  }
}
