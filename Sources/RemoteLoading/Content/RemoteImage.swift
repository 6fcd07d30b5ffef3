public import Loading

/// An image that is fetched.
@MainActor
public final class RemoteImage: FetchedRemoteContent<ImageData> {
  /// An image that is not asked for yet: `load` sends the request. What is no image is a failure.
  ///
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

  /// The image behind a URL, by GET.
  ///
  /// - Throws: `TransportError.unsupportedURL` unless it is an absolute URL of `http` or `https`.
  public convenience init(
    _ client: RemoteClient,
    url: String,
    policy: LoadingPolicy = .remoteContent
  ) throws(TransportError) {
    self.init(client, try RemoteRequest(url: url), policy: policy)
  }
}
