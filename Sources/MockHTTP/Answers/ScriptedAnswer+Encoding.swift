import FoundationEssentials

/// Encodes a Swift value as the JSON body of an answer.
extension ScriptedAnswer {
  /// Returns a value as JSON, with status 200.
  ///
  /// Keys are sorted, so that every run has the same bytes. Braces in texts are not placeholders.
  ///
  /// - Throws: errors of the value's encoding.
  public static func json(_ value: some Encodable) throws -> ScriptedAnswer {
    try status(200).json(value)
  }

  /// Sets the body to a value as JSON and keeps the status.
  ///
  /// - Throws: errors of the value's encoding.
  public func json(_ value: some Encodable) throws -> ScriptedAnswer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return bytes(Array(try encoder.encode(value)), type: "application/json")
  }
}
