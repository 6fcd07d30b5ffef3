public import Loading

/// An image that is fetched.
@MainActor
public final class RemoteImage: FetchedRemoteContent<ImageData> {
  /// - Parameters:
  ///   - client: fetches the response.
  ///   - request: what to ask.
  ///   - policy: what happens where there is a choice.
  public init(
    _ client: RemoteClient,
    _ request: RemoteRequest,
    policy: LoadingPolicy = .remoteContent
  ) {
    super.init(client, request, policy: policy) { try ImageData($0.body) }
  }

  /// - Throws: `TransportError.unsupportedURL`.
  public convenience init(
    _ client: RemoteClient,
    url: String,
    policy: LoadingPolicy = .remoteContent
  ) throws(TransportError) {
    self.init(client, try RemoteRequest(url: url), policy: policy)
  }
}
