import HTTPTypes
import RemoteLoading
import Staging
import Testing

@Suite(.enabled(if: Gzip.isAvailable)) struct CompressionTests {
  static let text = Array("[1, 2, 3]".utf8)

  @Test(arguments: ["gzip", "GZIP", "x-gzip", "identity, gzip"])
  func `a compressed body is decompressed`(coding: String) throws {
    let packed = try #require(Gzip.compress(Self.text))
    fetch(packed, coding) { response, error in
      #expect(error == nil)
      #expect(response?.body == Self.text)
      #expect(response?.head.headerFields[.contentEncoding] == nil)
      #expect(response?.head.headerFields[.contentLength] == "9")
    }
  }

  @Test func `a body that was compressed twice is decompressed twice`() throws {
    let packed = try #require(Gzip.compress(Self.text).flatMap { Gzip.compress($0) })
    fetch(packed, "gzip, gzip") { response, _ in #expect(response?.body == Self.text) }
  }

  @Test func `wrong or damaged compression has a description`() throws {
    let packed = try #require(Gzip.compress(Self.text))
    var damaged = packed
    damaged[damaged.count - 6] ^= 0xff
    let bodies: [([UInt8], coding: String, found: String)] = [
      (Self.text, "gzip", "JSON"), (Array("<html>".utf8), "gzip", "HTML"),
      (Array(packed.dropLast(4)), "gzip", "truncated data"),
      (damaged, "gzip", "damaged bytes"), (Self.text, "br", "br"),
    ]
    for (body, coding, found) in bodies {
      fetch(body, coding) { _, error in
        #expect(error == .decoding(path: "", expected: "gzip", found: found))
      }
    }
  }

  @Test func `a body that the transport lost is reported`() {
    fetch([], "br", length: "3") { _, error in
      #expect(error == .decoding(path: "", expected: "gzip", found: "br"))
    }
    fetch([], "br", length: "0") { response, _ in #expect(response?.body == []) }
  }

  @Test func `a small body that expands beyond the limit is rejected`() throws {
    let bomb = try #require(Gzip.compress([UInt8](repeating: 0, count: 10_000_000)))
    #expect(bomb.count < 20_000)
    fetch(bomb, "gzip", limit: 1_000_000) { _, error in
      let words = "more than 1000000 bytes"
      #expect(error == .decoding(path: "", expected: "gzip", found: words))
    }
  }

  @Test func `a body of exactly the limit is not too long`() throws {
    let packed = try #require(Gzip.compress(Self.text))
    fetch(packed, "gzip", limit: 9) { response, _ in #expect(response?.body == Self.text) }
    fetch(packed, "gzip", limit: 8) { response, _ in #expect(response == nil) }
  }

  private func fetch(
    _ body: [UInt8],
    _ coding: String,
    length: String? = nil,
    limit: Int = 1_000_000,
    check: @escaping @Sendable (RemoteResponse?, RemoteError?) -> Void
  ) {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, _ in
        var fields: HTTPFields = [.contentEncoding: coding]
        fields[.contentLength] = length
        return .init(fields: fields, body: body)
      }
      var client = RemoteClient(transport)
      client.bodyLimit = limit
      do {
        check(try await client.fetch(get("http://a.test/")), nil)
      } catch {
        check(nil, error as? RemoteError)
      }
    }
  }
}
