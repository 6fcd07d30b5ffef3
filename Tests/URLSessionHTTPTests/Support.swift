import Foundation
import HTTPTypes
import MockHTTP
import RemoteLoading
import Staging
import Synchronization
import Testing
import URLSessionHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A log of lines, for any thread.
final class Log: Sendable {
  private let storage = Mutex<[String]>([])

  func callAsFunction(_ line: String) { storage.withLock { $0.append(line) } }

  var lines: [String] { storage.withLock { $0 } }
}

/// A stage and a server.
struct Scene: Sendable {
  let stage = Stage()
  let server = MockServer()
  let log = Log()

  /// Logs the time and a text.
  func note(_ text: String) { log("\(stage.now) \(text)") }

  func answer(
    _ path: String,
    _ status: Int = 200,
    _ text: String = "",
    headers: [ScriptedResponse.Header] = [],
    ending: ScriptedResponse.Ending = .complete,
    after delay: Duration = .zero,
    pace: ScriptedAnswer.Pace = .atOnce
  ) {
    let response = ScriptedResponse(
      status: status,
      headers: headers,
      body: ScriptedBody(.text(text)),
      ending: ending
    )
    add(path, ScriptedAnswer(.response(response), delay: .fixed(delay), pace: pace))
  }

  func fail(_ path: String, _ fault: Fault, after delay: Duration = .zero) {
    add(path, ScriptedAnswer(.fault(fault), delay: .fixed(delay)))
  }

  private func add(_ path: String, _ answer: ScriptedAnswer) {
    let template = PathTemplate(
      segments: path.split(separator: "/").map { .literal(String($0)) }
    )
    server.add(Route(RequestPattern(path: template), answers: [answer]))
  }

  /// The results of the requests, each with its time.
  var fates: [String] {
    server.log.entries.map { entry in
      let end = entry.ended.map { " at \(StageInstant(elapsed: $0))" } ?? ""
      return "\(entry.method) \(entry.path) \(entry.fate)\(end)"
    }
  }
}

func url(_ path: String) throws -> URL {
  try #require(URL(string: "http://example.test\(path)"))
}

/// Returns the name of an error in the common vocabulary.
func word(_ error: any Error) -> String {
  switch error {
  case let error as URLError: "\(TransportError(error))"
  case is CancellationError: "cancelled"
  default: "\(error)"
  }
}

extension URLSession {
  /// Returns the body as text, or the error.
  func text(_ path: String) async -> String {
    do {
      let (data, response) = try await data(from: url(path))
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      return "\(status) \(String(decoding: data, as: UTF8.self))"
    } catch {
      return word(error)
    }
  }
}
