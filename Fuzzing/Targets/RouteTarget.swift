import MockHTTP
import Rehearsal
import Script

/// Routes as commands and in files: a route that is parsed, printed and parsed again must be the
/// same.
struct RouteTarget: FuzzTarget {
  let name = "route"
  let words =
    ["GET", "POST", "any", "/", "/{id}", "/{rest...}", "?q={q}", "http://localhost", "200", "503"]
    + [
      "header accept \"x\"", "body json {}", "containing \"x\"", "then reset", "after 1s",
      "json [1]",
      "dripping 20 chunks over 2s", "for a", "text \"x\"", "file f.json", "reset", "never",
      "refused",
    ]
    + ["\"", "{", "}", ",", "1s to 2s", "50%", "%2F", "{id}", "\\u0000"]

  func pieces(of golden: [UInt8]) -> [[UInt8]] { commands(of: golden, behind: "route ") }

  func check(_ bytes: [UInt8]) throws(Finding) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(20) {
      guard let route = Self.route(String(line)) else { continue }
      let text = route.commandText
      guard let again = Self.route(text) else {
        throw Finding("written as '\(text)', which cannot be read")
      }
      try require(again.commandText == text, "'\(text)' is written as '\(again.commandText)'")
      try require(again == route, "'\(text)' is another route than '\(line)'")
    }
  }

  /// Returns the route of a command. Files that it names are not read.
  private static func route(_ text: String) -> Route? {
    guard text.utf8.count <= Script.longestCommand else { return nil }
    var parser = Parser(text, table: ShellCommands.table)
    guard parser.accept("route") != nil else { return nil }
    guard let written = try? parser.route(), parser.isAtEnd else { return nil }
    return written.route
  }
}
