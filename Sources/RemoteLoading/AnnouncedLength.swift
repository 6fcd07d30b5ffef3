package import HTTPTypes

extension HTTPFields {
  /// How many bytes of body the head announces by `Content-Length`; nil where it announces nothing.
  ///
  /// - Throws: `TransportError.malformed` for what is not a number of bytes, does not fit into an `Int`, or is several
  ///   numbers that differ (RFC 9112, section 6.3).
  package func announcedLength() throws(TransportError) -> Int? {
    try Self.length(announcedBy: self[values: .contentLength])
  }

  /// The same for the values of all such fields.
  package static func length(announcedBy values: [String]) throws(TransportError) -> Int? {
    let lengths = values.joined(separator: ",")
      .split(separator: ",", omittingEmptySubsequences: false)
      .map { part in part.filter { $0 != " " && $0 != "\t" } }
    guard !values.isEmpty, let first = lengths.first else { return nil }
    guard lengths.allSatisfy({ $0 == first }),
      first.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let length = Int(first)
    else { throw .malformed }
    return length
  }
}

extension RemoteResponse {
  /// Refuses a body that is shorter than its head announces, whichever transport took it for whole. One that was
  /// encoded may have been decoded on its way, so nothing is known of its length.
  ///
  /// - Throws: `TransportError.truncated`; `.malformed` for a length that is none.
  package func checkLength(asAnswerTo method: HTTPRequest.Method) throws(TransportError) {
    guard method != .head, ![204, 205, 304].contains(head.status.code),
      let length = try head.headerFields.announcedLength(),
      head.headerFields[.contentEncoding] == nil, head.headerFields[.transferEncoding] == nil
    else { return }
    if body.count < length { throw .truncated }
  }
}
