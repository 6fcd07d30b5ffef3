import MockHTTP
import RemoteLoading
import Script
import Synchronization

/// Keeps what a server answered, up to a limit, and writes or prints it as routes.
final class TrafficRecorder: Sendable {
  private let source: String
  private let keepingSecrets: Bool
  private let state = Mutex(State())

  private struct State {
    var exchanges: [RecordedExchange] = []
    var byteCount = 0
    var leftOutCount = 0
  }

  /// All bodies together, in bytes.
  private static let byteLimit = 256 << 20
  private static let countLimit = 100_000

  /// - Parameters:
  ///   - source: what is recorded, for the comment above the routes.
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

  /// Writes all that was kept.
  ///
  /// - Parameters:
  ///   - files: where to.
  ///   - replacing: whether files that are there already are replaced.
  ///   - json: whether what is said about it is for programs.
  /// - Returns: what was written, in words.
  /// - Throws: `SubcommandFailure` where nothing was.
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

  /// Prints all that was kept.
  func print(json: Bool) {
    guard let made = made(filePrefix: nil) else {
      return StandardStreams.write(json ? RouteText.nothing : "# nothing was recorded\n")
    }
    if json { made.printJSON() } else { made.print() }
  }

  /// - Returns: nil where nothing was recorded.
  private func made(filePrefix: String?) -> RouteText? {
    let (exchanges, leftOutCount) = state.withLock { ($0.exchanges, $0.leftOutCount) }
    guard !exchanges.isEmpty else { return nil }
    var options = TrafficOptions()
    options.keepingSecrets = keepingSecrets
    options.choosePlace(of: filePrefix)
    let cut = leftOutCount > 0 ? ["\(leftOutCount) requests were too many to record"] : []
    return RouteText(Traffic(exchanges).makeRoutes(options), from: source, notes: cut)
  }
}

extension RecordedExchange {
  fileprivate var bodyBytes: Int {
    guard case .response(let response) = outcome else { return request.body.count }
    return request.body.count + response.body.count
  }
}
