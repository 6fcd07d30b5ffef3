import FoundationPipelines
import HTTPTypes
import RemoteLoading

/// An event of a request, as `dataTaskEvents` publishes it, in place of `URLSession.dataTaskPublisher`.
enum DataTaskEvent {
  /// The received part of the body, from 0 to 1.
  case progress(Double)
  case response(RemoteResponse)
}

extension RemoteClient {
  /// Publishes the response, with any status. Like `URLSession.dataTaskPublisher(for:)`, with a
  /// request of the scene, so that `requests` lists it.
  func dataTaskPublisher(for url: String) -> AnyPublisher<RemoteResponse, any Error> {
    dataTaskEvents(for: url)
      .compactMap {
        guard case .response(let response) = $0 else { return nil }
        return response
      }
      .eraseToAnyPublisher()
  }

  /// Publishes the progress and the response. Each subscriber sends its own request; unsubscribing
  /// cancels it. Events arrive on no particular queue.
  func dataTaskEvents(for url: String) -> AnyPublisher<DataTaskEvent, any Error> {
    Deferred {
      let events = PassthroughSubject<DataTaskEvent, any Error>()
      let task = Task { [transport] in
        do {
          let response = try await transport.send(try RemoteRequest(url: url)) { report in
            if let fraction = report.fraction { events.send(.progress(fraction)) }
          }
          events.send(.response(response))
          events.send(completion: .finished)
        } catch let error as TransportError {
          events.send(completion: .failure(RemoteError.transport(error)))
        } catch {
          events.send(completion: .failure(error))
        }
      }
      return events.handleEvents(receiveCancel: task.cancel)
    }
    .eraseToAnyPublisher()
  }
}

extension RemoteResponse {
  var statusCode: Int { head.status.code }

  /// The body of a response with the status 200 to 299.
  ///
  /// - Throws: `RemoteError.status` for another status.
  var successfulBody: [UInt8] {
    get throws {
      guard 200...299 ~= statusCode else { throw RemoteError.status(statusCode) }
      return body
    }
  }
}
