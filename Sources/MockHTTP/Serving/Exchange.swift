public import HTTPTypes
public import RemoteLoading

/// An accepted request, with instructions for its transport.
public struct Exchange: Sendable {
  /// The exchange's number in the server, counted from 1.
  public let id: Int
  /// Whether the answer is held: `whenReleased` comes before the delay.
  public let isHeld: Bool
  /// The delay before the first byte, counted from the release if the answer is held.
  public let delay: Duration
  /// The outcome after the delay.
  public let outcome: Outcome

  /// What a transport has to send.
  public enum Outcome: Sendable {
    /// A response, complete or not.
    case response(Delivery)
    /// No response but this failure.
    case fault(Fault)
    /// There is no route, or its answers are used up.
    case failure(TransportError)
  }

  /// A final response: placeholders filled in, compressed if requested. A class, because most
  /// requests to a route share one.
  public final class Delivery: Sendable {
    /// The status and header fields, including the announced length.
    public let head: HTTPResponse
    let status: Int
    /// The complete encoded body; empty for HEAD.
    public let body: [UInt8]
    /// How the body's end differs from the head.
    public let ending: ScriptedResponse.Ending
    /// Whether the body is sent in chunks, without a length.
    public let isChunked: Bool
    /// The pieces of the body, in order. A body that is sent at once has one piece at zero.
    public let pieces: [Piece]
    /// The announced length of the body in bytes, nil if the head has none.
    public let announcedBytes: Int?
    /// Whether the head announces a malformed length.
    public let isMalformed: Bool
    /// Whether the response is sent complete and at once.
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

  /// A part of the body that is sent at one time. It begins at the end of the previous piece.
  public struct Piece: Sendable, Hashable {
    /// The end of the piece, in bytes of the body.
    public let end: Int
    /// The time after the head.
    public let time: Duration
  }
}
