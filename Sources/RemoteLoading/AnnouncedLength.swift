package import HTTPTypes

/// Reads `Content-Length`, and refuses a body that is shorter than announced.
extension HTTPFields {
  /// Returns the body's length in bytes that `Content-Length` announces, nil if it is missing.
  ///
  /// - Throws: `TransportError.malformed` if the value is not a number of bytes, does not fit into
  ///   an `Int`,
  ///   or is several numbers that differ (RFC 9112, section 6.3).
  package func announcedLength() throws(TransportError) -> Int? {
    try Self.length(announcedBy: self[values: .contentLength])
  }

  /// Returns the length that the values of these fields announce.
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
  /// Rejects a body that is shorter than its head announces, for transports that do not check that.
  /// The length of an encoded body is not checked, because the transport may have decoded it.
  ///
  /// - Throws: `TransportError.truncated`; `.malformed` for an invalid length.
  package func checkLength(asAnswerTo method: HTTPRequest.Method) throws(TransportError) {
    guard method != .head, ![204, 205, 304].contains(head.status.code),
      let length = try head.headerFields.announcedLength(),
      head.headerFields[.contentEncoding] == nil, head.headerFields[.transferEncoding] == nil
    else { return }
    if body.count < length { throw .truncated }
  }
}
