import MockHTTP
import RemoteLoading
import Script
import Synchronization

/// Keeps what a server answered, up to a limit, and writes it as routes.
final class TrafficRecorder: Sendable {
  private let state = Mutex(State())

  private struct State {
    var exchanges: [RecordedExchange] = []
    var byteCount = 0
    var leftOutCount = 0
  }

  /// All bodies together, in bytes.
  private static let byteLimit = 256 << 20
  private static let countLimit = 100_000

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

  /// Writes all that was kept.
  ///
  /// - Parameters:
  ///   - files: where to.
  ///   - source: what was recorded, for the comment above the routes.
  ///   - keepingSecrets: whether cookies, tokens and passwords stay as they are.
  ///   - replacing: whether files that are there already are replaced.
  /// - Returns: what was written, in words.
  /// - Throws: `HarFailure` where nothing was.
  func write(
    to files: RouteFiles,
    source: String,
    keepingSecrets: Bool,
    replacing: Bool
  ) throws(HarFailure) -> String {
    let (exchanges, leftOutCount) = state.withLock { ($0.exchanges, $0.leftOutCount) }
    guard !exchanges.isEmpty else { return "nothing was recorded, so nothing was written" }
    var options = TrafficOptions()
    options.keepingSecrets = keepingSecrets
    options.filePrefix = files.stem
    let routes = Traffic(exchanges).makeRoutes(options)
    var comments = ["from \(source)"] + routes.summary
    if leftOutCount > 0 { comments.append("\(leftOutCount) requests were too many to record") }
    let text =
      comments.map { "# \(RouteFiles.comment($0))\n" }.joined()
      + routes.routes.map { $0.commandText + "\n" }.joined()
    try files.write(routes, text: text, replacing: replacing)
    return "wrote \(files.name(with: routes)): "
      + RouteFiles.comment(comments.dropFirst().joined(separator: "; "))
  }
}

extension RecordedExchange {
  fileprivate var bodyBytes: Int {
    guard case .response(let response) = outcome else { return request.body.count }
    return request.body.count + response.body.count
  }
}
