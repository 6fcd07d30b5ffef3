import Loading
import RehearsalBase
import RemoteLoading
import Testing

@Suite struct ImageSignatureTests {
  typealias Size = ImageSignature.Size

  struct Sample: Sendable {
    let bytes: [UInt8]
    let format: ImageSignature.Format
    let size: Size?

    init(_ format: ImageSignature.Format, _ bytes: [UInt8], _ width: Int? = nil) {
      self.bytes = bytes
      self.format = format
      size = width.map { Size(width: $0, height: 48) }
    }
  }

  /// Text and bytes in turn.
  static func bytes(_ text: String, _ bytes: [UInt8] = [], _ more: String = "") -> [UInt8] {
    Array(text.utf8) + bytes + Array(more.utf8)
  }

  static let pngHeader: [UInt8] = [0, 0, 0, 64, 0, 0, 0, 48, 8, 6, 0, 0, 0]
  static let png: [UInt8] = [0x89] + bytes("PNG\r\n\u{1a}\n", [0, 0, 0, 13], "IHDR") + pngHeader
  static let jpegFrame: [UInt8] = [0xff, 0xc2, 0, 17, 8, 0, 48, 0, 64, 3]
  static let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc4, 0, 2] + jpegFrame
  static let bmpSize: [UInt8] = [64, 0, 0, 0, 0xd0, 0xff, 0xff, 0xff]
  static let bmp: [UInt8] =
    bytes("BM", [70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]) + bmpSize

  static let samples: [Sample] = [
    Sample(.png, png, 64), Sample(.jpeg, jpeg, 64), Sample(.bmp, bmp, 64),
    Sample(.gif, bytes("GIF89a", [64, 0, 48, 0]), 64), Sample(.webp, bytes("RIFF____WEBPVP8 ")),
    Sample(.tiff, [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]),
    Sample(.tiff, [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8]),
    Sample(.heic, bytes("", [0, 0, 0, 24], "ftypheic")),
    Sample(.avif, bytes("", [0, 0, 0, 24], "ftypavif")),
    Sample(.ico, [0, 0, 1, 0, 1, 0, 16, 16]),
  ]

  @Test(arguments: samples) func `the first bytes identify an image`(sample: Sample) throws {
    let signature = try ImageSignature(sample.bytes)
    #expect(signature.format == sample.format)
    #expect(signature.size == sample.size)
  }

  @Test(arguments: [png, jpeg]) func `a truncated header has no size and does not crash`(
    bytes: [UInt8]
  ) throws {
    for count in 8..<bytes.count - 5 {
      #expect(try ImageSignature(Array(bytes.prefix(count))).size == nil)
    }
  }

  @Test(arguments: [
    ("", "nothing"), ("  \n", "nothing"), ("<!DOCTYPE html><html>", "HTML"), ("<HTML>", "HTML"),
    ("<?xml version=\"1.0\"?><svg/>", "SVG"), ("<svg xmlns=\"\">", "SVG"), ("<?xml?><rss/>", "XML"),
    ("%PDF-1.7", "PDF"), ("{\"error\": 404}", "JSON"), ("[1]", "JSON"), ("{oops}", "text"),
    ("not found", "text"), ("\u{7f}ELF\u{2}\u{1}\u{1}\u{0}\u{0}", "bytes 7f 45 4c 46 02 01 01 00"),
  ])
  func `other content is described by its likely type`(text: String, found: String) {
    #expect(throws: RemoteError.image(found: found)) { try ImageSignature(Array(text.utf8)) }
  }

  @Test func `bytes that only resemble the beginning of an image are rejected`() {
    #expect(throws: RemoteError.image(found: "text")) {
      try ImageSignature(Array("BMW is a car".utf8))
    }
    #expect(throws: RemoteError.image(found: "bytes 89 50 4e 47")) {
      try ImageSignature([0x89, 0x50, 0x4e, 0x47])
    }
  }

  @Test func `an image prints its format, size and length`() throws {
    #expect("\(try ImageData(Self.png))" == "png 64 × 48, 29 bytes")
  }

  @Test func `damaged headers do not crash`() {
    var random = SplitMix64(seed: 5)
    var sized = 0
    for _ in 0..<5_000 {
      var bytes = Self.samples.randomElement(using: &random)?.bytes ?? []
      for _ in 0..<3 {
        bytes[Int.random(in: 3..<bytes.count, using: &random)] = .random(
          in: 0...255,
          using: &random
        )
      }
      guard let size = (try? ImageSignature(bytes))?.size else { continue }
      sized += 1
      #expect(size.width > 0 && size.height > 0)
    }
    #expect(sized > 100)
  }
}
