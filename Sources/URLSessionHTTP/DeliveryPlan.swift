import Foundation
import HTTPTypes
import MockHTTP
import RemoteLoading

/// What a client gets to see of a delivery: which bytes, when, and how it ends.
struct DeliveryPlan {
  struct Piece {
    let bytes: Data
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

  /// What there is to see when the request had this method: an answer to a HEAD has no body.
  init(_ delivery: Exchange.Delivery, method: String?) {
    head = delivery.head
    guard method != "HEAD" else {
      pieces = []
      ending = .complete
      return
    }
    let (limit, ending) = Self.end(of: delivery)
    self.ending = ending
    pieces = Self.pieces(of: delivery, limit: limit)
  }

  private static func pieces(of delivery: Exchange.Delivery, limit: Int) -> [Piece] {
    var pieces: [Piece] = []
    var start = 0
    for piece in delivery.pieces where start < limit {
      let end = min(piece.end, limit)
      guard end > start else { continue }
      pieces.append(Piece(bytes: Data(delivery.body[start..<end]), time: piece.time))
      start = end
    }
    return pieces
  }

  /// How many bytes come, and what then.
  private static func end(of delivery: Exchange.Delivery) -> (limit: Int, Ending) {
    let count = delivery.body.count
    switch delivery.ending {
    case .complete: return (count, .complete)
    case .closed(let bytes): return (min(bytes, count), .failure(.truncated))
    case .reset(let bytes): return (min(bytes, count), .failure(.reset))
    case .silent(let bytes): return (min(bytes, count), .silence)
    case .claiming(let bytes):
      return bytes > count ? (count, .failure(.truncated)) : (bytes, .complete)
    }
  }
}
