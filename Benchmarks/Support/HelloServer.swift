import NIOCore
import NIOHTTP1
import NIOPosix

/// The least server that can be written with swift-nio: the same answer to everything.
struct HelloServer {
  let port: Int
  private let group: MultiThreadedEventLoopGroup

  /// Listens at once, at any port that is free, with one thread.
  init(_ text: String) throws {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let channel = try ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1_024)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(Hello(text))
        }
      }
      .bind(host: "127.0.0.1", port: 0)
      .wait()
    port = channel.localAddress?.port ?? 0
  }

  func stop() { try? group.syncShutdownGracefully() }

  private final class Hello: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let body: ByteBuffer
    private let head: HTTPResponseHead

    init(_ text: String) {
      body = ByteBuffer(string: text)
      let fields: HTTPHeaders = [
        "Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(text.utf8.count)",
      ]
      head = HTTPResponseHead(version: .http1_1, status: .ok, headers: fields)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .end = unwrapInboundIn(data) else { return }
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }
}
