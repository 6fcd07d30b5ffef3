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

  init(_ delivery: Exchange.Delivery) {
    let (limit, conclusion) = delivery.course
    head = delivery.head
    ending = Ending(conclusion)
    pieces = Self.pieces(of: delivery, upTo: limit, isComplete: conclusion == .complete)
  }

  /// Those that bring something, and the last one of a body that comes whole.
  private static func pieces(
    of delivery: Exchange.Delivery,
    upTo limit: Int,
    isComplete: Bool
  ) -> [Piece] {
    var pieces: [Piece] = []
    var start = 0
    for piece in delivery.pieces where isComplete || start < limit {
      let end = max(start, min(piece.end, limit))
      pieces.append(Piece(bytes: Data(delivery.body[start..<end]), time: piece.time))
      start = end
    }
    return pieces
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
      }
  }
}
