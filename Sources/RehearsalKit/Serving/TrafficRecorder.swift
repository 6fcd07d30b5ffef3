import MockHTTP
import RemoteLoading
import Script
import Synchronization

/// A recorder that keeps responses of a server, up to a limit, and writes or prints them as routes.
final class TrafficRecorder: Sendable {
  private let source: String
  private let keepingSecrets: Bool
  private let state = Mutex(State())

  private struct State {
    var exchanges: [RecordedExchange] = []
    var byteCount = 0
    var leftOutCount = 0
  }

  /// The size of all bodies together, in bytes.
  private static let byteLimit = 256 << 20
  private static let countLimit = 100_000

  /// - Parameters:
  ///   - source: the URL of the server, for the comment above the routes.
  ///   - keepingSecrets: whether cookies, tokens and passwords stay as they are.
  init(source: String, keepingSecrets: Bool) {
    self.source = source
    self.keepingSecrets = keepingSecrets
  }

  func add(_ exchange: RecordedExchange) {
    state.withLock { state in
      let count = state.byteCount + exchange.bodyBytes
      guard count <= Self.byteLimit, state.exchanges.count < Self.countLimit else {
        state.leftOutCount += 1
        return
      }
      state.byteCount = count
      state.exchanges.append(exchange)
    }
  }

  // MARK: Routes

  /// Writes all recorded routes.
  ///
  /// - Parameters:
  ///   - files: the files to write.
  ///   - replacing: whether existing files are replaced.
  ///   - json: whether the result is JSON.
  /// - Returns: text about the written files.
  /// - Throws: `SubcommandFailure` if the files cannot be written.
  func write(to files: RouteFiles, replacing: Bool, json: Bool) throws(SubcommandFailure) -> String
  {
    guard let made = made(filePrefix: files.stem) else {
      return json ? RouteText.nothing : "nothing was recorded, so nothing was written\n"
    }
    try files.write(made.routes, text: made.text, replacing: replacing)
    return json
      ? made.written(to: files.path).text
      : "wrote \(files.name(with: made.routes)): " + made.words + "\n"
  }

  /// Prints all recorded routes.
  func print(json: Bool) {
    guard let made = made(filePrefix: nil) else {
      return StandardStreams.write(json ? RouteText.nothing : "# nothing was recorded\n")
    }
    if json { made.printJSON() } else { made.print() }
  }

  /// - Returns: nil if nothing was recorded.
  private func made(filePrefix: String?) -> RouteText? {
    let (exchanges, leftOutCount) = state.withLock { ($0.exchanges, $0.leftOutCount) }
    guard !exchanges.isEmpty else { return nil }
    var options = TrafficOptions()
    options.keepingSecrets = keepingSecrets
    options.choosePlace(of: filePrefix)
    let cut =
      leftOutCount > 0
      ? ["\(leftOutCount) requests were not recorded, because the limit was reached"] : []
    return RouteText(Traffic(exchanges).makeRoutes(options), from: source, notes: cut)
  }
}

extension RecordedExchange {
  fileprivate var bodyBytes: Int {
    guard case .response(let response) = outcome else { return request.body.count }
    return request.body.count + response.body.count
  }
}
