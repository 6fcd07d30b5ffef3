@testable import Script

/// Parses a whole text with one of the parser's methods.
func read<Value>(
  _ text: String,
  _ method: (inout Parser) throws(Diagnostic) -> Value
) throws(Diagnostic) -> Value {
  var parser = Parser(text, table: CommandTable([]))
  let value = try method(&parser)
  guard parser.isAtEnd else {
    throw Diagnostic(.unexpected(parser.text(parser.nextSpan)), at: parser.nextSpan)
  }
  return value
}
