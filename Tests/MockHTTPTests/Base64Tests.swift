import Loading
import MockHTTP
import RehearsalBase
import Testing

@Suite struct Base64Tests {
  @Test func `bytes survive encoding and decoding`() {
    var random = SplitMix64(seed: 1)
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let text = Array(Base64.text(bytes).utf8)
      #expect(Base64.bytes(text) == bytes)
      #expect(Base64.bytes(text, .lenient) == bytes)
    }
    #expect(Base64.text(Array("foobar".utf8)) == "Zm9vYmFy")
    #expect(Base64.text(Array("foob".utf8)) == "Zm9vYg==")
  }

  @Test(arguments: ["A", "A===", "AA=A", "AAA-", "====", "Zm9v\n", "Zm8"])
  func `malformed base64 is rejected`(text: String) {
    #expect(Base64.bytes(Array(text.utf8)) == nil)
  }

  @Test(arguments: [("Zm9v\r\nYmFy", "foobar"), ("Zm8", "fo"), ("Pz8_", "???"), ("Zm8 =", "fo")])
  func `the lenient form accepts what browsers write`(text: String, decoded: String) {
    #expect(Base64.bytes(Array(text.utf8), .lenient) == Array(decoded.utf8))
  }

  @Test func `even the lenient form rejects other characters`() {
    #expect(Base64.bytes(Array("a*bc".utf8), .lenient) == nil)
  }
}
