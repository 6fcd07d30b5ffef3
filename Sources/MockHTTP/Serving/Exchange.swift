public import HTTPTypes
public import RemoteLoading

/// A request that was taken in, and what its transport has to do about it.
public struct Exchange: Sendable {
  /// Its number in the server, by which the transport speaks of it. Counts from 1.
  public let id: Int
  /// Whether the answer is held back: then `whenReleased` comes before the delay.
  public let isHeld: Bool
  /// How long to wait before the first byte, counted from the release if it is held.
  public let delay: Duration
  /// What goes out when the delay is over.
  public let outcome: Outcome

  /// What a transport has to carry out.
  public enum Outcome: Sendable {
    /// A response, whole or ending otherwise.
    case response(Delivery)
    /// No response: the transport fails in this way.
    case fault(Fault)
    /// There is no route, or it is used up.
    case failure(TransportError)
  }

  /// A response in its final form: templates filled in, compressed if so told. A class, since most
  /// requests to a route share one.
  public final class Delivery: Sendable {
    /// Status and fields, among them the length that is announced.
    public let head: HTTPResponse
    let status: Int
    /// All of the body, encoded; none for HEAD.
    public let body: [UInt8]
    /// How the body's end differs from what the head announces.
    public let ending: ScriptedResponse.Ending
    /// Whether it goes out in chunks, without a length.
    public let isChunked: Bool
    /// The pieces of the body in their order; one at zero where it goes out at once.
    public let pieces: [Piece]
    /// What the head says about the body's length, in bytes; nil where it says nothing.
    public let announcedBytes: Int?
    /// Whether the head announces a length that is none.
    public let isMalformed: Bool
    /// Whether it goes out whole and at once.
    let isPlain: Bool

    init(
      head: HTTPResponse,
      status: Int,
      body: [UInt8],
      ending: ScriptedResponse.Ending = .complete,
      isChunked: Bool = false,
      pieces: [Piece],
      announcedBytes: Int?,
      isMalformed: Bool = false
    ) {
      self.head = head
      self.status = status
      self.body = body
      self.ending = ending
      self.isChunked = isChunked
      self.pieces = pieces
      self.announcedBytes = announcedBytes
      self.isMalformed = isMalformed
      isPlain = !isMalformed && ending == .complete && pieces.count == 1 && pieces[0].time == .zero
    }
  }

  /// A part of a body that goes out at one time; it begins where the one before ends.
  public struct Piece: Sendable, Hashable {
    /// Where it ends, in bytes of the body.
    public let end: Int
    /// When it goes out, after the head.
    public let time: Duration
  }
}
