public import Loading

/// A remote image.
@MainActor
public final class RemoteImage: FetchedRemoteContent<ImageData> {
  /// Creates an image without requesting it: `load` sends the request. A response without an image
  /// is a failure.
  ///
  /// - Parameters:
  ///   - client: fetches the response.
  ///   - request: the request.
  ///   - policy: the handling of overlapping loads, cancellation and existing content.
  public init(
    _ client: RemoteClient,
    _ request: RemoteRequest,
    policy: LoadingPolicy = .remoteContent
  ) {
    super.init(client, request, policy: policy) { try ImageData($0.body) }
  }

  /// Creates the image of a URL, requested with GET.
  ///
  /// - Throws: `TransportError.unsupportedURL` unless it is an absolute `http` or `https` URL.
  public convenience init(
    _ client: RemoteClient,
    url: String,
    policy: LoadingPolicy = .remoteContent
  ) throws(TransportError) {
    self.init(client, try RemoteRequest(url: url), policy: policy)
  }
}
