import Foundation
import HTTPTypes
import MockHTTP
import RemoteLoading

/// What a client gets to see of a delivery: which bytes, when, and how it ends.
struct DeliveryPlan {
  struct Piece {
    /// Decoded, as a session hands them out.
    let bytes: Data
    /// How many bytes of the body as it was sent.
    let sentBytes: Int
    /// After the head.
    let time: Duration
  }

  enum Ending {
    case complete
    case failure(TransportError)
    /// Nothing more comes.
    case silence
  }

  let head: HTTPResponse
  let pieces: [Piece]
  let ending: Ending

  init(_ delivery: Exchange.Delivery) {
    let (limit, conclusion) = delivery.course
    let content = Content(delivery, limit: limit, isComplete: conclusion == .complete)
    head = delivery.head
    ending = content.isBroken ? .failure(.malformed) : Ending(conclusion)
    pieces = Self.pieces(of: delivery, content, isComplete: conclusion == .complete)
  }

  /// Those that bring something, and the last one of a body that comes whole.
  private static func pieces(
    of delivery: Exchange.Delivery,
    _ content: Content,
    isComplete: Bool
  ) -> [Piece] {
    var pieces: [Piece] = []
    var start = 0
    for piece in delivery.pieces where isComplete || start < content.sentBytes {
      let end = max(start, min(piece.end, content.sentBytes))
      pieces.append(
        Piece(bytes: content.part(start..<end), sentBytes: end - start, time: piece.time)
      )
      start = end
    }
    return pieces
  }
}

/// A body as it is sent, and as a session hands it out, which decodes gzip.
private struct Content {
  let sentBytes: Int
  private(set) var isBroken = false
  private let bytes: [UInt8]

  /// More than this is taken for an attack.
  private static let limitInBytes = 256 << 20

  init(_ delivery: Exchange.Delivery, limit: Int, isComplete: Bool) {
    sentBytes = limit
    let encoding = delivery.head.headerFields[.contentEncoding]?.lowercased()
    guard limit > 0, ["gzip", "x-gzip"].contains(encoding) else {
      bytes = Array(delivery.body[..<limit])
      return
    }
    let decoded = try? Gzip.decompress(
      Array(delivery.body[..<limit]),
      limit: Self.limitInBytes
    )
    bytes = decoded ?? []
    isBroken = isComplete && decoded == nil
  }

  /// The share of some of the bytes that are sent.
  func part(_ sent: Range<Int>) -> Data {
    guard sentBytes > 0 else { return Data() }
    return Data(bytes[share(sent.lowerBound)..<share(sent.upperBound)])
  }

  private func share(_ count: Int) -> Int {
    let (high, low) = bytes.count.multipliedFullWidth(by: count)
    return sentBytes.dividingFullWidth((high, low)).quotient
  }
}

extension DeliveryPlan.Ending {
  fileprivate init(_ conclusion: Exchange.Delivery.Conclusion) {
    self =
      switch conclusion {
      case .complete: .complete
      case .truncated: .failure(.truncated)
      case .reset: .failure(.reset)
      case .silent: .silence
      case .malformed: .failure(.malformed)
      }
  }
}
