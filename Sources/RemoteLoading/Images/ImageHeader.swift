/// The positions of an image's size in each format.
struct ImageHeader {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var pngSize: ImageSignature.Size? {
    guard bytes.dropFirst(12).starts(with: "IHDR".utf8) else { return nil }
    return size(bigEndian(4, at: 16), bigEndian(4, at: 20))
  }

  var gifSize: ImageSignature.Size? { size(littleEndian(2, at: 6), littleEndian(2, at: 8)) }

  /// The size in a BMP header. A negative height means that rows go from top to bottom.
  var bmpSize: ImageSignature.Size? {
    let height = littleEndian(4, at: 22).map { Int(Int32(truncatingIfNeeded: $0).magnitude) }
    return size(littleEndian(4, at: 18), height)
  }

  /// The size in the first frame's header, after segments that each have a length.
  var jpegSize: ImageSignature.Size? {
    var position = 2
    while let marker = marker(at: position), let length = bigEndian(2, at: position + 2) {
      let isFrame = (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker)
      if isFrame { return size(bigEndian(2, at: position + 7), bigEndian(2, at: position + 5)) }
      position += 2 + max(2, length)
    }
    return nil
  }

  private func marker(at position: Int) -> UInt8? {
    guard bigEndian(1, at: position) == 0xff, let marker = bigEndian(1, at: position + 1)
    else { return nil }
    return UInt8(marker)
  }

  private func size(_ width: Int?, _ height: Int?) -> ImageSignature.Size? {
    guard let width, let height, width > 0, height > 0 else { return nil }
    return ImageSignature.Size(width: width, height: height)
  }

  private func bigEndian(_ count: Int, at offset: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private func littleEndian(_ count: Int, at offset: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
