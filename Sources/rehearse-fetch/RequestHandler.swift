import FetchProtocol
import Foundation
import HTTPTypes
import LibC
import RemoteLoading
import Synchronization
import URLSessionHTTP

/// Performs the requests of the program and writes the answers.
final class RequestHandler: Sendable {
  private let output: Int32
  private let tasks = Mutex<[UInt32: Task<Void, Never>]>([:])
  private let writing = Mutex(())
  /// One transport for each idle time, which is a property of a session.
  private let transports = Mutex<[Duration: URLSessionTransport]>([:])

  init(output: Int32) { self.output = output }

  func handle(_ frame: FetchFrame) {
    switch frame {
    case .request(let id, let request): begin(id, request)
    case .cancel(let id): tasks.withLock { $0.removeValue(forKey: id) }?.cancel()
    case .event, .end, .failure: break
    }
  }

  private func begin(_ id: UInt32, _ request: FetchRequest) {
    tasks.withLock { tasks in
      tasks[id] = Task {
        await fetch(id, request)
        _ = self.tasks.withLock { $0.removeValue(forKey: id) }
      }
    }
  }

  private func fetch(_ id: UInt32, _ request: FetchRequest) async {
    do {
      if let host = request.forbiddenHost { throw TransportError.forbidden(host: host) }
      let transport = transport(request.limits)
      for try await event in try transport.transfer(request.request, limits: request.limits) {
        write(.event(id, event))
      }
      try Task.checkCancellation()
      write(.end(id))
    } catch is CancellationError {
      write(.failure(id, .cancelled))
    } catch {
      write(.failure(id, error as? TransportError ?? .other("\(error)")))
    }
  }

  private func transport(_ limits: TransferLimits) -> URLSessionTransport {
    transports.withLock { transports in
      if let transport = transports[limits.idleTime] { return transport }
      let transport = URLSessionTransport(limits: limits)
      transports[limits.idleTime] = transport
      return transport
    }
  }

  private func write(_ frame: FetchFrame) { write(frame.bytes) }

  /// Writes bytes. Exits if there is no reader.
  func write(_ bytes: [UInt8]) {
    writing.withLock { _ in
      do { try Descriptor.write(bytes, to: output) } catch { exit(0) }
    }
  }
}
