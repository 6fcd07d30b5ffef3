/// The bytes of an image, of which nothing is known but how they begin.
public struct ImageData: Sendable, Hashable {
  /// What kind of image it is, and its size where its beginning tells.
  public let signature: ImageSignature
  /// The whole, not decoded.
  public let bytes: [UInt8]

  /// Takes bytes for an image by how they begin.
  ///
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
