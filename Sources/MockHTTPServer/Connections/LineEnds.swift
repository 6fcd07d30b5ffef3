import NIOCore

/// Sees what comes before it is parsed: the parser has one word for a strange version and for a line
/// that ends in LF alone.
final class LineEnds: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// What is being parsed now.
  private var bytes: ByteBuffer?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes = unwrapInboundIn(data)
    context.fireChannelRead(data)
    bytes = nil
  }

  /// Whether a line of it ends without a CR.
  var hasBareLF: Bool {
    guard let view = bytes?.readableBytesView else { return false }
    return zip(view, view.dropFirst()).contains { $0 != 0x0D && $1 == 0x0A }
  }
}
