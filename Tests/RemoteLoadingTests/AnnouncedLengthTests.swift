import HTTPTypes
import RemoteLoading
import Staging
import Testing

/// Bodies whose length differs from the announced one, from a transport that does not check it.
@Suite struct AnnouncedLengthTests {
  private func fetched(_ length: String, encoding: String? = nil) -> Result<[UInt8], RemoteError>? {
    nonisolated(unsafe) var result: Result<[UInt8], RemoteError>?  // Only the stage writes it.
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, _ in
        var answer = ScriptedTransport.Answer(body: Array("123".utf8))
        answer.fields[.contentLength] = length
        answer.fields[.contentEncoding] = encoding
        return answer
      }
      do {
        result = .success(try await RemoteClient(transport).fetch(get("http://a.test/")).body)
      } catch {
        result = (error as? RemoteError).map { .failure($0) }
      }
    }
    return result
  }

  @Test(arguments: ["3", "3, 3", " 3 ", "0", "2"])
  func `a correct length is accepted`(length: String) {
    #expect(fetched(length) == .success(Array("123".utf8)))
  }

  @Test(arguments: ["4", "99", "9223372036854775807"])
  func `a larger length is truncated`(length: String) {
    #expect(fetched(length) == .failure(.transport(.truncated)))
  }

  @Test(arguments: [
    "9223372036854775808", "99999999999999999999", "abc", "", "-3", "+3", "3, 4", "3,", "0x3",
    "3.0",
  ])
  func `an invalid length is malformed`(length: String) {
    #expect(fetched(length) == .failure(.transport(.malformed)))
  }

  @Test func `the length of an encoded body is not checked`() {
    #expect(fetched("99", encoding: "identity") == .success(Array("123".utf8)))
  }
}
