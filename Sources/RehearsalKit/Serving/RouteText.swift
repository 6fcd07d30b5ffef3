import MockHTTP
import Rehearsal
import Script

/// Recorded routes as a script: comments about the conversion, and commands.
struct RouteText {
  let routes: TrafficRoutes
  private let source: String
  private let lines: [String]

  /// - Parameters:
  ///   - routes: the routes of the recording.
  ///   - source: the name of the recording.
  ///   - notes: further comments.
  init(_ routes: TrafficRoutes, from source: String, notes: [String] = []) {
    self.routes = routes
    self.source = source
    lines = routes.summary + notes
  }

  /// A summary of the conversion in one line.
  var words: String { RouteFiles.comment(lines.joined(separator: "; ")) }

  var text: String {
    (["from \(source)"] + lines).map { "# \(RouteFiles.comment($0))\n" }.joined()
      + routes.routes.map { $0.commandText + "\n" }.joined()
  }

  // MARK: JSON

  /// Prints a line for each route, and a summary.
  func printJSON() {
    for route in routes.routes {
      StandardStreams.write(JSONLine("route").with("text", route.commandText).text)
    }
    StandardStreams.write(end.text)
  }

  /// The JSON for no routes.
  static var nothing: String { JSONLine("end").with("routes", 0).text }

  /// Returns the JSON about written routes.
  func written(to path: String) -> JSONLine {
    end.with("path", path).with("files", routes.files.map(\.name))
  }

  private var end: JSONLine {
    JSONLine("end").with("routes", routes.routes.count).with("notes", lines)
  }

  // MARK: Text

  /// Prints the routes, and a warning about files that they name and that were not written.
  func print() {
    StandardStreams.write(text)
    guard !routes.files.isEmpty else { return }
    let names = routes.files.prefix(5).map(\.name).joined(separator: ", ")
    let more = routes.files.count > 5 ? " and \(routes.files.count - 5) more" : ""
    let verb = routes.files.count == 1 ? "is" : "are"
    StandardStreams.write(
      "warning: \(names)\(more) \(verb) missing, because the body is too long to print\nhint: '--to' writes the files\n",
      to: .error
    )
  }
}

extension TrafficOptions {
  /// Puts long bodies into files whose names begin with a prefix; without a prefix, into the printed commands up to a
  /// maximum size.
  mutating func choosePlace(of filePrefix: String?) {
    if let filePrefix {
      self.filePrefix = filePrefix
    } else {
      longestInlineBody = 32 << 10
      inliningBytes = true
    }
  }
}
