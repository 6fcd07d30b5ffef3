import MockHTTP
import Rehearsal
import Script

/// Recorded routes as a script: comments that say what became of the recording, and commands.
struct RouteText {
  let routes: TrafficRoutes
  private let source: String
  private let lines: [String]

  /// - Parameters:
  ///   - routes: what was made of the recording.
  ///   - source: its name.
  ///   - notes: what is to be said beside.
  init(_ routes: TrafficRoutes, from source: String, notes: [String] = []) {
    self.routes = routes
    self.source = source
    lines = routes.summary + notes
  }

  /// What became of the recording, on one line.
  var words: String { RouteFiles.comment(lines.joined(separator: "; ")) }

  var text: String {
    (["from \(source)"] + lines).map { "# \(RouteFiles.comment($0))\n" }.joined()
      + routes.routes.map { $0.commandText + "\n" }.joined()
  }

  // MARK: For programs

  /// Prints a line for each route, and one that says what became of the rest.
  func printJSON() {
    for route in routes.routes {
      StandardStreams.write(JSONLine("route").with("text", route.commandText).text)
    }
    StandardStreams.write(end.text)
  }

  /// Says that there are no routes.
  static var nothing: String { JSONLine("end").with("routes", 0).text }

  /// Says where the routes were written.
  func written(to path: String) -> JSONLine {
    end.with("path", path).with("files", routes.files.map(\.name))
  }

  private var end: JSONLine {
    JSONLine("end").with("routes", routes.routes.count).with("notes", lines)
  }

  // MARK: For people

  /// Prints the routes, and says which files they name that nobody wrote.
  func print() {
    StandardStreams.write(text)
    guard !routes.files.isEmpty else { return }
    let names = routes.files.prefix(5).map(\.name).joined(separator: ", ")
    let more = routes.files.count > 5 ? " and \(routes.files.count - 5) more" : ""
    let verb = routes.files.count == 1 ? "is" : "are"
    StandardStreams.write(
      "warning: \(names)\(more) \(verb) missing: too long to be printed\nhint: '--to' writes them\n",
      to: .error
    )
  }
}

extension TrafficOptions {
  /// Lets long bodies be files whose names begin so; without a prefix, part of what is printed, as
  /// far as a command holds them.
  mutating func choosePlace(of filePrefix: String?) {
    if let filePrefix {
      self.filePrefix = filePrefix
    } else {
      longestInlineBody = 32 << 10
      inliningBytes = true
    }
  }
}
