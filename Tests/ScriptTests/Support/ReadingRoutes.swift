@testable import Script

/// The route that follows the verb.
func route(_ text: String) throws(Diagnostic) -> WrittenRoute {
  try read(text) { parser throws(Diagnostic) in try parser.route() }
}
