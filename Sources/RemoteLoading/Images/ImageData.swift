/// The bytes of an image, identified only by their beginning.
public struct ImageData: Sendable, Hashable {
  /// The kind of image, with its size if the beginning contains it.
  public let signature: ImageSignature
  /// The complete undecoded bytes.
  public let bytes: [UInt8]

  /// Identifies the kind of image by the beginning of its bytes.
  ///
  /// - Throws: `RemoteError.image` if the bytes are not an image.
  public init(_ bytes: [UInt8]) throws(RemoteError) {
    signature = try ImageSignature(bytes)
    self.bytes = bytes
  }
}

extension ImageData: CustomStringConvertible {
  /// `png 64 × 48, 1180 bytes`.
  public var description: String { "\(signature), \(bytes.count) bytes" }
}
