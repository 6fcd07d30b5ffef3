import FoundationEssentials

extension ScriptedAnswer {
  /// A value as JSON, with status 200.
  ///
  /// Fields stand in their alphabetical order, so that the bytes are the same in every run. Braces
  /// in a text echo no capture.
  ///
  /// - Throws: what the value throws while it is encoded.
  public static func json(_ value: some Encodable) throws -> ScriptedAnswer {
    try status(200).json(value)
  }

  /// The same with the status that this answer has.
  ///
  /// - Throws: what the value throws while it is encoded.
  public func json(_ value: some Encodable) throws -> ScriptedAnswer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return bytes(Array(try encoder.encode(value)), type: "application/json")
  }
}
