#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HTTPTypes
import MockHTTP
import Pipelines
import RemoteLoading
import Staging
import Synchronization
import URLSessionHTTP

#if canImport(OpenCombine)
import OpenCombine
#else
import Combine
#endif

/// A client with which code on a stage reaches a route.
enum Way: String, CaseIterable, Sendable {
  /// `MockTransport`, including that of a scene.
  case memory
  case remoteClient
  case asyncData
  case asyncUpload
  case completionHandler
  case delegate
  /// A session whose handlers run on a separate thread.
  case otherQueue
  case publisher
  /// A session of a configuration that names the class, with a server that is installed on the stage.
  case installed
  /// The transport for real servers.
  case urlSessionTransport

  /// Returns a function that sends a request and waits for its end. It ignores every error, because the log has it.
  @MainActor func client(_ server: MockServer, on stage: Stage) -> @MainActor () async -> Void {
    let session = URLSession.rehearsing(server, on: stage)
    guard let address = URL(string: "http://example.test/a") else { return {} }
    switch self {
    case .memory:
      let transport = MockTransport(server: server, clock: stage.clock)
      return { _ = try? await transport.send(Self.request) { _ in } }
    case .remoteClient:
      let client = RemoteClient(MockTransport(server: server, clock: stage.clock))
      return { _ = try? await client.fetch(Self.request) }
    case .asyncData:
      return { _ = try? await session.data(from: address) }
    case .asyncUpload:
      let request = URLRequest(url: address)
      return { _ = try? await session.upload(for: request, from: Data()) }
    case .completionHandler:
      return {
        await withCheckedContinuation { continuation in
          session.dataTask(with: address) { _, _, _ in continuation.resume() }.resume()
        }
      }
    case .delegate:
      let delegate = EndDelegate()
      let session = URLSession.rehearsing(server, on: stage, delegate: delegate)
      return {
        await withCheckedContinuation { continuation in
          delegate.onEnd.withLock { $0 = continuation }
          session.dataTask(with: address).resume()
        }
      }
    case .otherQueue:
      let session = URLSession(configuration: .rehearsing(server, on: stage))
      return { _ = try? await session.data(from: address) }
    case .publisher:
      return {
        let publisher = Future<Data, any Error> { promise in
          nonisolated(unsafe) let promise = promise  // Called once, on the stage.
          session.dataTask(with: address) { data, _, error in
            promise(data.map { .success($0) } ?? .failure(error ?? URLError(.unknown)))
          }.resume()
        }
        var subscription: AnyCancellable?
        await withCheckedContinuation { continuation in
          subscription = publisher.sink { _ in
            continuation.resume()
          } receiveValue: { _ in
          }
        }
        subscription?.cancel()
      }
    case .installed:
      let installation = MockURLProtocol.install(server, on: stage)
      let configuration = URLSessionConfiguration.default
      configuration.protocolClasses = [MockURLProtocol.self]
      let session = URLSession(configuration: configuration)
      return {
        _ = try? await session.data(from: address)
        withExtendedLifetime(installation) {}
      }
    case .urlSessionTransport:
      let installation = MockURLProtocol.install(server, on: stage)
      let transport = URLSessionTransport(protocolClasses: [MockURLProtocol.self])
      return {
        _ = try? await transport.send(Self.request) { _ in }
        withExtendedLifetime(installation) {}
      }
    }
  }

  static let request = RemoteRequest(
    HTTPRequest(method: .get, scheme: "http", authority: "example.test", path: "/a")
  )
}

/// Reports the end of a task.
private final class EndDelegate: NSObject, URLSessionDataDelegate {
  let onEnd = Mutex<CheckedContinuation<Void, Never>?>(nil)

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    onEnd.withLock { continuation in
      continuation?.resume()
      continuation = nil
    }
  }
}
#endif
