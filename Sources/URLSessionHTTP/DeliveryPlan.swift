import Foundation
import HTTPTypes
import MockHTTP
import RemoteLoading

/// What a client receives of a delivery: which bytes, when, and how it ends.
struct DeliveryPlan {
  struct Piece {
    /// Decoded, as a session delivers them.
    let bytes: Data
    /// The number of bytes of the body before decoding.
    let sentBytes: Int
    /// The time after the head.
    let time: Duration
  }

  enum Ending {
    case complete
    case failure(TransportError)
    /// Nothing more arrives.
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

  /// The pieces that have bytes, and the last one of a body that arrives whole.
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

/// A body as it is sent, and as a session delivers it, with gzip decoded.
private struct Content {
  let sentBytes: Int
  private(set) var isBroken = false
  private let bytes: [UInt8]

  /// Maximum size after decoding, as a protection against attacks.
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

  /// Returns the decoded part for a range of the sent bytes.
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
