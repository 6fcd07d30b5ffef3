public import Loading

/// Content that is decoded from a response.
///
///     let posts = try DecodableRemoteContent(client, url: "http://localhost/posts", type: [Post].self)
///     posts.load()
@MainActor
public final class DecodableRemoteContent<Value: Decodable>: FetchedRemoteContent<Value> {
  /// Creates content without requesting it: `load` sends the request and decodes the response.
  ///
  /// - Parameters:
  ///   - client: fetches the response.
  ///   - request: the request.
  ///   - type: the type of the value.
  ///   - decoding: the format of the body.
  ///   - policy: the handling of overlapping loads, cancellation and existing content.
  public init(
    _ client: RemoteClient,
    _ request: RemoteRequest,
    type: Value.Type = Value.self,
    decoding: RemoteDecoding = RemoteDecoding(),
    policy: LoadingPolicy = .remoteContent
  ) {
    super.init(client, request, policy: policy) { try decoding.decode(from: $0.body) }
  }

  /// Creates the content of a URL, requested with GET.
  ///
  /// - Throws: `TransportError.unsupportedURL` unless it is an absolute `http` or `https` URL.
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
