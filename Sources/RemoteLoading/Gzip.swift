import CGzip

/// Bodies that are compressed by gzip.
public enum Gzip {
  /// Why something cannot be decompressed.
  public enum Problem: Error, Hashable, Sendable {
    /// It is no gzip, or is damaged.
    case broken
    /// It ends too early.
    case cutOff
    /// It becomes longer than so many bytes.
    case tooLong(limit: Int)
    /// There was no zlib when this was built.
    case unavailable
  }

  /// Whether zlib was there when this was built.
  public static var isAvailable: Bool { cgz_available() }

  /// The same bytes for the same input, since they say nothing of time and system.
  ///
  /// - Returns: nil without zlib.
  public static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    let room = cgz_bound(bytes.count)
    var result = cgz_result(0)
    let compressed = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      count = room
      result = cgz_compress(bytes, bytes.count, buffer.baseAddress, &count)
    }
    return result == CGZ_DONE ? compressed : nil
  }

  /// Decompresses piece by piece, so that a small body which becomes huge takes no more memory than the
  /// limit and one piece.
  ///
  /// - Parameters:
  ///   - bytes: one gzip member or several.
  ///   - limit: the most bytes that may come out.
  /// - Returns: what was compressed.
  /// - Throws: `Problem`.
  public static func decompress(
    _ bytes: [UInt8],
    limit: Int
  ) throws(Problem) -> [UInt8] {
    let (result, content) = bytes.withUnsafeBufferPointer { read($0, limit: limit) }
    switch result {
    case CGZ_DONE where content.count <= limit: return content
    case CGZ_DONE, CGZ_NO_ROOM: throw .tooLong(limit: limit)
    case CGZ_CUT_OFF: throw .cutOff
    case CGZ_BROKEN: throw .broken
    default: throw .unavailable
    }
  }

  private static let pieceBytes = 65_536

  private static func read(
    _ input: UnsafeBufferPointer<UInt8>,
    limit: Int
  ) -> (cgz_result, [UInt8]) {
    guard let reader = cgz_open(input.baseAddress, input.count) else { return (CGZ_UNABLE, []) }
    defer { cgz_close(reader) }
    var content: [UInt8] = []
    var result = CGZ_NO_ROOM
    while result == CGZ_NO_ROOM, content.count <= limit {
      content += [UInt8](unsafeUninitializedCapacity: pieceBytes) { buffer, count in
        count = pieceBytes
        result = cgz_read(reader, buffer.baseAddress, &count)
      }
    }
    return (result, content)
  }
}
