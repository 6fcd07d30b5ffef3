import Testing

@testable import Workers

@Suite struct MessageCodingTests {
  private enum Kind: Codable, Equatable {
    case plain
    case counted(Int, of: Int?)
    case named(String)
  }

  private struct Message: Codable, Equatable {
    var texts = ["", "é"]
    var kinds = [Kind.plain, .counted(-1, of: nil), .counted(2, of: 3), .named("n")]
    var nothing: Kind?
    var something: String? = "s"
    var range: Range<UInt64> = 1..<UInt64.max
    var places: [UInt64: Int] = [3: 4, .max: .min]
    var set: Set<Int> = [7]
    var share: Double? = 0.5
    var isTrue = true
    var bytes: [UInt8] = [0, 255]
    var digests = ["a": "1", "": "", "é": "2"]
    var after = "digests"
  }

  private struct Empty: Codable, Equatable {}

  @Test func `a value is decoded as it was encoded`() throws {
    let message = Message()

    #expect(
      try MessageCoding.decode(Message.self, from: MessageCoding.encode(message)[...]) == message
    )
    #expect(
      try MessageCoding.decode(Empty.self, from: MessageCoding.encode(Empty())[...]) == Empty()
    )
  }

  @Test func `bytes that end too early are an error`() {
    let bytes = MessageCoding.encode(Message())

    #expect(throws: (any Error).self) {
      try MessageCoding.decode(Message.self, from: bytes.dropLast())
    }
  }

  @Test func `messages are removed one by one when they are complete`() {
    let all = MessageFrame.bytes(Kind.plain) + MessageFrame.bytes(Kind.named("b"))
    var bytes = Array(all.dropLast())

    #expect(MessageFrame.take(Kind.self, from: &bytes) == .plain)
    #expect(MessageFrame.take(Kind.self, from: &bytes) == nil)
    bytes += all.suffix(1)
    #expect(MessageFrame.take(Kind.self, from: &bytes) == .named("b"))
    #expect(bytes.isEmpty)
  }
}
