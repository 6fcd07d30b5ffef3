#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Synchronization

/// A client between a protocol and Foundation's client. It holds back Foundation's message that the task was cancelled,
/// which Foundation sends on its own queue at an unpredictable moment.
final class HeldClient: NSObject, URLProtocolClient {
  private let failure = Mutex<(any Error)?>(nil)

  /// Returns the error of a cancelled task, once.
  func takeFailure() -> (any Error)? {
    failure.withLock { failure in
      defer { failure = nil }
      return failure
    }
  }

  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
    failure.withLock { $0 = error }
  }

  // These are never called: a load calls Foundation's client directly.
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
