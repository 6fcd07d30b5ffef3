@testable import Script

/// Parses the route after the verb.
func route(_ text: String) throws(Diagnostic) -> WrittenRoute {
  try read(text) { parser throws(Diagnostic) in try parser.route() }
}
