import Workers

/// Takes frames out of a stream of bytes, whatever its pieces.
package struct FrameReader {
  /// The other side speaks another version of this protocol.
  package struct OtherVersion: Error {}

  /// What a helper writes before its first frame. A change of the frames is a change of the number.
  package static let greeting = Array("rehearse-fetch 2\n".utf8)

  /// The longest frame, in bytes. A request and its body are one.
  static let longest = 256 << 20

  private var bytes: [UInt8] = []

  /// What is missing of the greeting.
  private var awaited: ArraySlice<UInt8>

  /// Creates a reader of a stream that begins with a frame, or with the greeting.
  package init(afterGreeting: Bool = false) {
    awaited = afterGreeting ? Self.greeting[...] : []
  }

  package mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

  /// Returns the next frame that has come whole; nil if none has.
  ///
  /// - Throws: `OtherVersion`; `MalformedMessage` if the rest of the stream cannot be understood.
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
