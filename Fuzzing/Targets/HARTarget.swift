import MockHTTP
import Rehearsal
import Script

/// HAR recordings of browsers, and the routes that are made from them.
struct HARTarget: FuzzTarget {
  let name = "har"
  let words = [
    "\"log\"", "\"entries\"", "\"request\"", "\"response\"", "\"url\"", "\"method\"", "\"status\"",
    "\"content\"", "\"text\"", "\"encoding\": \"base64\"", "\"mimeType\"", "\"headers\"",
    "\"time\"",
    "\"timings\"", "\"wait\"", "null", "{", "}", "[", "]", ",", ":", "\"", "-1", "1e99", "http://",
    "https://a.example:99999/%", "\u{FEFF}", "GET", "\\u0000", "\"Set-Cookie\"",
    "\"Authorization\"",
  ]

  func check(_ bytes: [UInt8]) throws(Finding) {
    let traffic: Traffic
    do throws(HARProblem) {
      traffic = try Traffic(har: bytes)
    } catch {
      if let place = error.place {
        try require(
          place.byte >= 0 && place.byte <= bytes.count && place.line > 0 && place.column > 0,
          "the mistake is at \(place), the file has \(bytes.count) bytes"
        )
      }
      return
    }
    for keepsSecrets in [false, true] {
      var options = TrafficOptions()
      options.keepingSecrets = keepsSecrets
      options.longestInlineBody = 64
      try check(traffic.makeRoutes(options))
    }
  }

  /// Checks that each route can be written as a command, and that the command can be parsed.
  private func check(_ made: TrafficRoutes) throws(Finding) {
    _ = made.summary
    for route in made.routes {
      let text = route.commandText
      var parser = Parser(text, table: ShellCommands.table)
      _ = parser.accept("route")
      let again: WrittenRoute
      do throws(Diagnostic) {
        again = try parser.route()
      } catch {
        throw Finding("a route is written '\(text)': \(error.problem.sentence)")
      }
      try require(
        again.route.commandText == text,
        "'\(text)' is written as '\(again.route.commandText)'"
      )
    }
  }
}
