extension JSONValue {
  /// Reads a file that holds one value, and space around it.
  ///
  /// - Throws: `Diagnostic` with the place in `bytes`.
  package init(json bytes: [UInt8]) throws(Diagnostic) {
    var reader = JSONReader(bytes: bytes, position: 0)
    reader.skipSpace()
    self = try reader.value()
    reader.skipSpace()
    let position = reader.position
    guard position == bytes.count else {
      throw Diagnostic(.malformedValue("the value has ended here"), at: position..<position + 1)
    }
  }
}
