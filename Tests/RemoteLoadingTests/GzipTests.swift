import RemoteLoading
import Testing

@Suite(.enabled(if: Gzip.isAvailable)) struct GzipTests {
  private let text = Array(String(repeating: "a body that repeats itself, ", count: 9_000).utf8)

  private func compressed(_ bytes: [UInt8]) throws -> [UInt8] { try #require(Gzip.compress(bytes)) }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
  func `compressed data is restored`(count: Int) throws {
    let bytes = Array(text.prefix(count))
    #expect(try Gzip.decompress(compressed(bytes), limit: count) == bytes)
  }

  @Test func `the bytes contain neither a time nor a system`() throws {
    #expect(try compressed(text).prefix(10) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
  }

  @Test func `bytes without repetition are compressed too`() throws {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<100_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    #expect(try Gzip.decompress(compressed(bytes), limit: bytes.count) == bytes)
  }

  @Test func `several members are one text`() throws {
    let bytes = try compressed(Array("one, ".utf8)) + compressed(Array("two".utf8)) + [0, 0, 0]
    #expect(try Gzip.decompress(bytes, limit: 100) == Array("one, two".utf8))
  }

  @Test func `a body that exceeds the limit is rejected`() throws {
    let bomb = try compressed([UInt8](repeating: 0, count: 50_000_000))
    #expect(bomb.count < 60_000)
    #expect(throws: Gzip.Problem.tooLong(limit: 1_000_000)) {
      try Gzip.decompress(bomb, limit: 1_000_000).count
    }
    #expect(throws: Gzip.Problem.tooLong(limit: 2)) {
      try Gzip.decompress(compressed([1, 2, 3]), limit: 2)
    }
  }

  @Test func `damage and truncation are distinguished`() throws {
    let good = try compressed(text)
    #expect(throws: Gzip.Problem.cutOff) {
      try Gzip.decompress(Array(good.dropLast()), limit: .max)
    }
    #expect(throws: Gzip.Problem.cutOff) { try Gzip.decompress([], limit: .max) }
    #expect(throws: Gzip.Problem.broken) { try Gzip.decompress([1, 2, 3], limit: .max) }
    var damaged = good
    damaged[damaged.count - 6] ^= 1
    #expect(throws: Gzip.Problem.broken) { try Gzip.decompress(damaged, limit: .max) }
  }

  @Test func `no damage crashes the reader`() throws {
    let good = try compressed(Array(text.prefix(500)))
    for place in good.indices {
      for bit in 0..<8 {
        var damaged = good
        damaged[place] ^= 1 << UInt8(bit)
        let content = try? Gzip.decompress(damaged, limit: 10_000)
        #expect(content?.count ?? 0 <= 10_000)
      }
    }
  }
}
