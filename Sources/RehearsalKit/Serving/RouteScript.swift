import MockHTTP
import Rehearsal
import RehearsalBase
import Script

/// Reads the routes of a script that has only `route` commands, with the files that they name.
struct RouteScript {
  private(set) var routes: [Route] = []

  /// An error in a script, as lines to print.
  struct Mistake: Error {
    let lines: [String]
  }

  /// Reads a file of `route` commands. Paths in it are relative to its folder.
  ///
  /// - Throws: a mistake with the file, the line and the column.
  init(_ path: String) throws(Mistake) {
    for command in try Self.commands(of: path) {
      var parser = Parser(command.text, table: CommandTable([]))
      do throws(Diagnostic) {
        try parser.refuseGap()
        if parser.isAtEnd { continue }
        routes.append(try Self.route(&parser, beside: path))
        try parser.refuseGap()
      } catch {
        throw Mistake(
          lines: error.lines(in: command.text, place: "\(path):\(command.line)").map(\.text)
        )
      }
    }
  }

  private static func commands(of path: String) throws(Mistake) -> [ScriptFile.Command] {
    do throws(FileProblem) {
      return ScriptFile(try FileBytes.read(path)).commands
    } catch {
      throw Mistake(lines: [
        "error: cannot read '\(path.escapingControls)': \(error.sentence)",
        "hint: name a file of 'route' commands, such as: route GET /posts 200 json []",
      ])
    }
  }

  private static func route(
    _ parser: inout Parser,
    beside script: String
  ) throws(Diagnostic) -> Route {
    guard parser.accept("route") != nil else {
      throw Diagnostic(
        .expected("'route'", found: parser.text(parser.nextSpan).printable(atMost: 30)),
        at: parser.nextSpan,
        hint:
          "'serve' takes only routes; '\(ThisProgram.current.name) run' runs other commands"
      )
    }
    var written = try parser.route()
    for file in written.files {
      try written.fill(file, with: bytes(of: file.name, beside: script))
    }
    return written.route
  }

  /// The maximum size of a served file.
  private static let fileLimitInBytes = 64 << 20

  private static func bytes(
    of file: Located<String>,
    beside script: String
  ) throws(Diagnostic) -> [UInt8] {
    let folder = script.lastIndex(of: "/").map { script[...$0] } ?? ""
    let path = file.value.hasPrefix("/") ? file.value : folder + file.value
    do throws(FileProblem) {
      return try FileBytes.readAny(path, limitInBytes: fileLimitInBytes)
    } catch {
      throw Diagnostic(
        .cannotRead(file.value.printable(atMost: 60), reason: error.sentence),
        at: file.span,
        hint: "paths are relative to the script's folder"
      )
    }
  }
}
