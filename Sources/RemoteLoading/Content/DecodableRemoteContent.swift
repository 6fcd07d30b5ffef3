public import Loading

/// Content that is decoded from a response.
///
///     let posts = try DecodableRemoteContent(client, url: "http://localhost/posts", type: [Post].self)
///     posts.load()
@MainActor
public final class DecodableRemoteContent<Value: Decodable>: FetchedRemoteContent<Value> {
  /// Content that is not asked for yet: `load` sends the request and decodes what comes.
  ///
  /// - Parameters:
  ///   - client: fetches the response.
  ///   - request: what to ask.
  ///   - type: of the value.
  ///   - decoding: how the body is written.
  ///   - policy: what happens where there is a choice.
  public init(
    _ client: RemoteClient,
    _ request: RemoteRequest,
    type: Value.Type = Value.self,
    decoding: RemoteDecoding = RemoteDecoding(),
    policy: LoadingPolicy = .remoteContent
  ) {
    super.init(client, request, policy: policy) { try decoding.decode(from: $0.body) }
  }

  /// The content behind a URL, by GET.
  ///
  /// - Throws: `TransportError.unsupportedURL` unless it is an absolute URL of `http` or `https`.
  public convenience init(
    _ client: RemoteClient,
    url: String,
    type: Value.Type = Value.self,
    decoding: RemoteDecoding = RemoteDecoding(),
    policy: LoadingPolicy = .remoteContent
  ) throws(TransportError) {
    let request = try RemoteRequest(url: url)
    self.init(client, request, type: type, decoding: decoding, policy: policy)
  }
}
