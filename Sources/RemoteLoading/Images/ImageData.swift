/// The bytes of an image, of which nothing is known but how they begin.
public struct ImageData: Sendable, Hashable {
  public let signature: ImageSignature
  public let bytes: [UInt8]

  /// - Throws: `RemoteError.image` where the bytes are no image.
  public init(_ bytes: [UInt8]) throws(RemoteError) {
    signature = try ImageSignature(bytes)
    self.bytes = bytes
  }
}

extension ImageData: CustomStringConvertible {
  /// `png 64 × 48, 1180 bytes`.
  public var description: String { "\(signature), \(bytes.count) bytes" }
}
