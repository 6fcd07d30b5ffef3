#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Synchronization

/// Stands between a protocol and Foundation's client, and keeps back what Foundation says there itself: that the
/// task was cancelled. It says so on its own queue, at a moment that nobody can foresee.
final class HeldClient: NSObject, URLProtocolClient {
  private let failure = Mutex<(any Error)?>(nil)

  /// What a cancelled task is to be told; only once.
  func takeFailure() -> (any Error)? {
    failure.withLock { failure in
      defer { failure = nil }
      return failure
    }
  }

  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
    failure.withLock { $0 = error }
  }

  // Nobody calls these: a load talks to Foundation's client.
  func urlProtocol(
    _ protocol: URLProtocol,
    wasRedirectedTo request: URLRequest,
    redirectResponse: URLResponse
  ) {}
  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid response: CachedURLResponse) {}
  func urlProtocol(
    _ protocol: URLProtocol,
    didReceive response: URLResponse,
    cacheStoragePolicy policy: URLCache.StoragePolicy
  ) {}
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {}
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {}
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
#endif
