import HTTPTypes

/// Decompresses the body of a response; refuses unknown compressions, damaged and too long bodies.
extension RemoteResponse {
  /// Returns the response without its compression, and without a body if HTTP does not allow one.
  func unpacked(
    asAnswerTo method: HTTPRequest.Method,
    limit: Int
  ) throws(RemoteError) -> RemoteResponse {
    var response = self
    if method == .head || [204, 205].contains(head.status.code) {
      response.body = []
    } else if isLost, let coding = codings.last {
      try Self.check(coding)
    }
    for coding in codings.reversed() where !response.body.isEmpty {
      response.body = try Self.decoded(response.body, from: coding, limit: limit)
    }
    if !codings.isEmpty, !response.body.isEmpty {
      response.head.headerFields[.contentEncoding] = nil
      response.head.headerFields[.contentLength] = String(response.body.count)
    }
    return response
  }

  /// The compressions of the body, in the order in which they were applied.
  private var codings: [String] {
    (head.headerFields[.contentEncoding] ?? "")
      .split(separator: ",")
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      .filter { $0 != "identity" && !$0.isEmpty }
  }

  /// Whether the transport, which also decompresses, lost a body that was sent.
  private var isLost: Bool {
    guard body.isEmpty, head.status != .notModified else { return false }
    return head.headerFields[.contentLength].flatMap { Int($0) } ?? 0 > 0
  }

  private static func check(_ coding: String) throws(RemoteError) {
    guard coding == "gzip" || coding == "x-gzip" else {
      throw .decoding(path: "", expected: "gzip", found: coding)
    }
  }

  private static func decoded(
    _ body: [UInt8],
    from coding: String,
    limit: Int
  ) throws(RemoteError) -> [UInt8] {
    try check(coding)
    do throws(Gzip.Problem) {
      return try Gzip.decompress(body, limit: limit)
    } catch {
      throw .decoding(path: "", expected: "gzip", found: words(for: error, body))
    }
  }

  private static func words(for problem: Gzip.Problem, _ body: [UInt8]) -> String {
    switch problem {
    case .broken: body.starts(with: [0x1f, 0x8b]) ? "damaged bytes" : ContentGuess(body).words
    case .cutOff: "truncated data"
    case .tooLong(let limit): "more than \(limit) bytes"
    case .unavailable: "a build without zlib"
    }
  }
}
