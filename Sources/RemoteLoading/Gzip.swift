import CGzip

/// Compression with gzip.
public enum Gzip {
  /// A reason why data cannot be decompressed.
  public enum Problem: Error, Hashable, Sendable {
    /// The data is not gzip or is damaged.
    case broken
    /// The data is truncated.
    case cutOff
    /// The decompressed data is longer than the limit in bytes.
    case tooLong(limit: Int)
    /// The build has no zlib.
    case unavailable
  }

  /// Whether the build has zlib.
  public static var isAvailable: Bool { cgz_available() }

  /// Compresses data. The same input gives the same bytes, because the header has no time and no
  /// system.
  ///
  /// - Returns: the compressed data, nil without zlib.
  public static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    let room = cgz_bound(bytes.count)
    var result = cgz_result(0)
    let compressed = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      count = room
      result = cgz_compress(bytes, bytes.count, buffer.baseAddress, &count)
    }
    return result == CGZ_DONE ? compressed : nil
  }

  /// Decompresses data in pieces. Memory is bounded by the limit plus one piece, even if a small
  /// body expands to a huge one.
  ///
  /// - Parameters:
  ///   - bytes: one or several gzip members.
  ///   - limit: the maximum number of decompressed bytes.
  /// - Returns: the decompressed data.
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
