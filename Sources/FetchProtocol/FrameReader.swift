import Workers

/// Splits a stream of bytes into frames.
package struct FrameReader {
  /// The other side speaks another version of this protocol.
  package struct OtherVersion: Error {}

  /// The first bytes that a helper writes. Increase the number when the frames change.
  package static let greeting = Array("rehearse-fetch 2\n".utf8)

  /// The maximum length of a frame in bytes. A request with its body is one frame.
  static let longest = 256 << 20

  private var bytes: [UInt8] = []

  /// The bytes of the greeting that have not arrived.
  private var awaited: ArraySlice<UInt8>

  /// Creates a reader for a stream that begins with a frame, or with the greeting.
  package init(afterGreeting: Bool = false) {
    awaited = afterGreeting ? Self.greeting[...] : []
  }

  package mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

  /// Returns the next complete frame; nil if none has arrived.
  ///
  /// - Throws: `OtherVersion`; `MalformedMessage` if the rest of the stream cannot be parsed.
  package mutating func next() throws -> FetchFrame? {
    if !awaited.isEmpty {
      let begun = bytes.prefix(awaited.count)
      guard awaited.starts(with: begun) else { throw OtherVersion() }
      bytes.removeFirst(begun.count)
      awaited.removeFirst(begun.count)
    }
    return try MessageFrame.take(FetchFrame.self, from: &bytes, limitInBytes: Self.longest)
  }
}
