import Testing

@testable import Script

@Suite struct ByteCountTests {
  @Test(arguments: [
    ("0", 0), ("512", 512), ("10 kB", 10_000), ("10kB", 10_000), ("1.5 MB", 1_500_000),
    ("2 KiB", 2048), ("1MiB", 1_048_576), ("3 bytes", 3), ("1 byte", 1), ("1 tb", nil),
    ("1000000 MB", 1_000_000_000_000), ("1000001 MB", nil), ("0.5", nil), ("-1", nil), ("x", nil),
    ("99999999999999999999", nil),
  ])
  func `a size is a number with or without a unit`(text: String, count: Int?) {
    let read = try? read(text) { parser throws(Diagnostic) in
      try parser.byteCount("a size").value
    }
    #expect(read == count)
  }

  @Test func `a size is printed in the largest unit that gives a whole number`() {
    #expect(
      [0, 1, 999, 1000, 1500, 2_000_000].map(ByteCount.text) == [
        "0", "1", "999", "1 kB", "1500", "2 MB",
      ]
    )
  }
}
