import RehearsalBase
import Testing

struct BaseTests {
  @Test func `FNV-1a gives the published values`() {
    #expect(FNV1a.hash("".utf8) == 0xCBF2_9CE4_8422_2325)
    #expect(FNV1a.hash("foobar".utf8) == 0x8594_4171_F739_67E8)
  }

  @Test func `SplitMix64 gives the published sequence`() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers = (0..<3).map { _ in random.next() }
    #expect(
      numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
    )
  }

  @Test(arguments: [
    (PercentCoding.URLPart.anywhere, "a%2Fb%3Fc%20%C3%A9~"), (.segment, "a%2Fb%3Fc%20%C3%A9~"),
    (.query, "a/b%3Fc%20%C3%A9~"), (.url, "a/b?c%20%C3%A9~"),
  ])
  func `each part of an address keeps what has no other meaning there`(
    place: PercentCoding.URLPart,
    encoded: String
  ) {
    #expect(PercentCoding.encoded("a/b?c é~", in: place) == encoded)
    #expect(PercentCoding.decoded(encoded[...]) == "a/b?c é~")
  }

  @Test func `broken escapes stay and are found`() {
    let (bytes, broken) = PercentCoding.decoded("a+%4".utf8, plusIsSpace: true)
    #expect(String(decoding: bytes, as: UTF8.self) == "a %4")
    #expect(broken == 2)
    #expect(PercentCoding.decoded("%FF") == "%FF")
    #expect(PercentCoding.readable("é /", in: .segment) == "é%20%2F")
    #expect(PercentCoding.inASCII("é%20/") == "%C3%A9%20/")
  }

  @Test(arguments: [
    ("a\rb", LineEndLookalike.carriageReturn, 1..<2), ("\r\r\n", .carriageReturn, 0..<1),
    ("\u{B}", .verticalTab, 0..<1), ("a\u{C}\u{B}", .formFeed, 1..<2),
    ("é\u{85}", .nextLine, 2..<4), ("\u{2028}", .lineSeparator, 0..<3),
    ("…\u{2029}", .paragraphSeparator, 3..<6),
  ])
  func `a character that looks like a line end is found`(
    text: String,
    lookalike: LineEndLookalike,
    range: Range<Int>
  ) throws {
    let bytes = Array(text.utf8)
    let found = try #require(LineEndLookalike.first(in: bytes, within: bytes.indices))
    #expect(found.lookalike == lookalike && found.range == range)
  }

  @Test(arguments: ["", "a\nb", "a\r\n", "a\r", "Â…é\u{2027}\u{84}"])
  func `line ends and other characters are no lookalikes`(text: String) {
    let bytes = Array(text.utf8)
    #expect(LineEndLookalike.first(in: bytes, within: bytes.indices) == nil)
  }
}
