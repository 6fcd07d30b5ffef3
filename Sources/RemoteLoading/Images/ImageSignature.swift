/// The kind of image, identified by its first bytes, with its size if that is near.
public struct ImageSignature: Sendable, Hashable {
  /// The kind of image.
  public let format: Format
  /// The size in pixels, nil if the beginning lacks it.
  public let size: Size?

  /// A kind of image with a recognizable beginning.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    case png, jpeg, gif, webp, bmp, tiff, heic, avif, ico
  }

  /// A width and height in pixels, from the header.
  public struct Size: Sendable, Hashable, CustomStringConvertible {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int

    /// Creates a size in pixels.
    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }

    /// `64 × 48`.
    public var description: String { "\(width) × \(height)" }
  }

  /// Reads the beginning of an image.
  ///
  /// - Throws: `RemoteError.image` with a guess about the bytes, if they are not an image.
  public init(_ bytes: [UInt8]) throws(RemoteError) {
    guard let format = Self.format(of: bytes) else {
      throw .image(found: ContentGuess(bytes).words)
    }
    self.format = format
    let header = ImageHeader(bytes)
    size =
      switch format {
      case .png: header.pngSize
      case .gif: header.gifSize
      case .jpeg: header.jpegSize
      case .bmp: header.bmpSize
      case .webp, .tiff, .heic, .avif, .ico: nil
      }
  }

  private static func format(of bytes: [UInt8]) -> Format? {
    func has(_ prefix: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: prefix)
    }
    func says(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }
    if has([0x89]) && says("PNG\r\n\u{1a}\n", at: 1) { return .png }
    if has([0xff, 0xd8, 0xff]) { return .jpeg }
    if says("GIF87a") || says("GIF89a") { return .gif }
    if says("RIFF") && says("WEBP", at: 8) { return .webp }
    if says("BM") && has([0, 0, 0, 0], at: 6) { return .bmp }
    if has([0x49, 0x49, 0x2a, 0]) || has([0x4d, 0x4d, 0, 0x2a]) { return .tiff }
    if has([0, 0, 1, 0]) && bytes.count > 4 && bytes[4] > 0 { return .ico }
    guard says("ftyp", at: 4) else { return nil }
    if says("avif", at: 8) || says("avis", at: 8) { return .avif }
    let brands = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]
    return brands.contains { says($0, at: 8) } ? .heic : nil
  }
}

extension ImageSignature: CustomStringConvertible {
  /// `png 64 × 48`.
  public var description: String { format.rawValue + (size.map { " \($0)" } ?? "") }
}
