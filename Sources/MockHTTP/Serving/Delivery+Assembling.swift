import HTTPTypes
import RemoteLoading

/// Turns a scripted response into the sent parts: head, length or chunks, compressed bytes, and the times of the
/// pieces.
extension Exchange.Delivery {
  convenience init(_ response: ScriptedResponse, pace: ScriptedAnswer.Pace) {
    precondition((100...999).contains(response.status), "A status must have three digits.")
    let allowsBody = response.status >= 200 && ![204, 304].contains(response.status)
    let plain = allowsBody ? response.body.bytes : []
    let compressed = response.body.isCompressed && allowsBody ? Gzip.compress(plain) : nil
    let bytes = compressed ?? plain
    let framing = Framing(response, count: bytes.count, allowsBody: allowsBody)
    var fields = HTTPFields()
    if allowsBody, let type = response.body.type ?? MediaType.suggested(by: response.body.content) {
      fields[.contentType] = type
    }
    if compressed != nil { fields[.contentEncoding] = "gzip" }
    if let announced = framing.announced { fields[.contentLength] = String(announced) }
    if let claim = framing.malformedClaim { fields[.contentLength] = claim }
    fields.take(response.headers)
    self.init(
      head: HTTPResponse(status: .init(code: response.status), headerFields: fields),
      status: response.status,
      body: bytes,
      ending: framing.ending,
      isChunked: framing.isChunked,
      pieces: Self.pieces(of: bytes.count, pace),
      announcedBytes: framing.announced,
      isMalformed: framing.malformedClaim != nil
    )
  }

  /// The answer to HEAD: the same head without a body.
  var withoutBody: Exchange.Delivery {
    Exchange.Delivery(
      head: head,
      status: status,
      body: [],
      pieces: [Exchange.Piece(end: 0, time: .zero)],
      announcedBytes: 0,
      isMalformed: isMalformed
    )
  }

  /// How a client recognizes the body's end.
  private struct Framing {
    var ending: ScriptedResponse.Ending
    var isChunked: Bool
    /// The announced length, nil if there is none.
    var announced: Int?
    /// The length in the route's own header field, if it is not a number.
    var malformedClaim: String?

    init(_ response: ScriptedResponse, count: Int, allowsBody: Bool) {
      ending = allowsBody ? response.ending : .complete
      isChunked = allowsBody && response.asksForChunks
      announced = allowsBody && !isChunked ? count : nil
      guard allowsBody else { return }
      if case .claiming(let bytes) = ending {
        (announced, isChunked) = (max(0, bytes), false)
        return
      }
      do throws(TransportError) {
        guard let claim = try HTTPFields.length(announcedBy: response.claims) else { return }
        (announced, isChunked) = (claim, false)
        if ending == .complete { ending = .claiming(bytes: claim) }
      } catch {
        malformedClaim = response.claims.joined(separator: ", ")
        (announced, isChunked) = (nil, false)
      }
    }
  }

  // MARK: Pieces

  /// More pieces would only cost memory.
  private static let mostPieces = 100_000

  private static func pieces(of count: Int, _ pace: ScriptedAnswer.Pace) -> [Exchange.Piece] {
    guard case .drip(let asked, let duration) = pace else {
      return [Exchange.Piece(end: count, time: .zero)]
    }
    let pieces = max(1, min(asked, count, mostPieces))
    return (1...pieces).map { index in
      let (high, low) = count.multipliedFullWidth(by: index)
      return Exchange.Piece(
        end: pieces.dividingFullWidth((high, low)).quotient,
        time: duration * index / pieces
      )
    }
  }
}

extension ScriptedResponse {
  private func values(of name: HTTPField.Name) -> [String] {
    headers.filter { $0.name.lowercased() == name.canonicalName }.map(\.value)
  }

  /// The lengths in the route's own header fields, as text.
  fileprivate var claims: [String] { values(of: .contentLength) }

  fileprivate var asksForChunks: Bool {
    isChunked || values(of: .transferEncoding).last?.lowercased() == "chunked"
  }
}

extension HTTPFields {
  /// Replaces fields that the body implies with the route's. Fields that frame the body are
  /// ignored, because `Delivery` handles them, and so are invalid names.
  fileprivate mutating func take(_ headers: [ScriptedResponse.Header]) {
    var replaced: Set<HTTPField.Name> = [.contentLength, .transferEncoding]
    for header in headers {
      guard let name = HTTPField.Name(header.name) else { continue }
      let isFraming = name == .contentLength || name == .transferEncoding
      guard !isFraming else { continue }
      if replaced.insert(name).inserted { self[name] = nil }
      append(HTTPField(name: name, value: header.value))
    }
  }
}
