/// A message as bytes after their length, so that several can follow each other in a pipe.
package enum MessageFrame {
  package static func bytes(_ message: some Encodable) -> [UInt8] {
    let content = MessageCoding.encode(message)
    return withUnsafeBytes(of: Int64(content.count)) { Array($0) } + content
  }

  /// Removes and returns the first message of the received bytes; nil until it has arrived completely.
  ///
  /// - Throws: `MalformedMessage` if it is longer than the limit, or not a message of this type.
  package static func take<Message: Decodable>(
    _ type: Message.Type,
    from bytes: inout [UInt8],
    limitInBytes limit: Int
  ) throws(MalformedMessage) -> Message? {
    guard bytes.count >= 8 else { return nil }
    let count = Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
    guard (0...limit).contains(count) else { throw MalformedMessage() }
    guard bytes.count - 8 >= count else { return nil }
    defer { bytes.removeFirst(8 + count) }
    do {
      return try MessageCoding.decode(type, from: bytes[8..<8 + count])
    } catch {
      throw MalformedMessage()
    }
  }

  /// Removes and returns the first message of a copy of this program from the received bytes; nil until it has arrived
  /// completely.
  package static func take<Message: Decodable>(
    _ type: Message.Type,
    from bytes: inout [UInt8]
  ) -> Message? {
    do {
      return try take(type, from: &bytes, limitInBytes: .max)
    } catch {
      preconditionFailure("A copy of this program sends messages that this program reads.")
    }
  }
}
