public import HTTPTypes
public import RemoteLoading

/// A request that was taken in, and what its transport has to do about it.
public struct Exchange: Sendable {
  /// Counts from 1.
  public let id: Int
  /// Whether the answer is held back: then `whenReleased` comes before the delay.
  public let isHeld: Bool
  /// Before the first byte.
  public let delay: Duration
  public let outcome: Outcome

  public enum Outcome: Sendable {
    case response(Delivery)
    case fault(Fault)
    /// There is no route, or it is used up.
    case failure(TransportError)
  }

  /// A response in its final form: templates filled in, compressed if so told. A class, since most
  /// requests to a route share one.
  public final class Delivery: Sendable {
    public let head: HTTPResponse
    let status: Int
    public let body: [UInt8]
    public let ending: ScriptedResponse.Ending
    public let isChunked: Bool
    /// The pieces of the body in their order; one at zero where it goes out at once.
    public let pieces: [Piece]
    /// What the head says about the body's length, in bytes; nil where it says nothing.
    public let announcedBytes: Int?
    /// Whether it goes out whole and at once.
    let isPlain: Bool

    init(
      head: HTTPResponse,
      status: Int,
      body: [UInt8],
      ending: ScriptedResponse.Ending = .complete,
      isChunked: Bool = false,
      pieces: [Piece],
      announcedBytes: Int?
    ) {
      self.head = head
      self.status = status
      self.body = body
      self.ending = ending
      self.isChunked = isChunked
      self.pieces = pieces
      self.announcedBytes = announcedBytes
      isPlain = ending == .complete && pieces.count == 1 && pieces[0].time == .zero
    }
  }

  public struct Piece: Sendable, Hashable {
    /// Where it ends, in bytes of the body.
    public let end: Int
    /// When it goes out, after the head.
    public let time: Duration
  }
}
