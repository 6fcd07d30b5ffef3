import MockHTTP
import MockHTTPServer
import Rehearsal
import RehearsalBase
import Script
import Synchronization

/// A printer with one line for each request of a server.
///
/// A separate task prints them, because a blocked terminal must not stop the server. Lines that do not fit the buffer
/// are dropped and counted.
final class ServeLines: Sendable {
  private let isJSON: Bool
  private let isQuiet: Bool
  private let isMasking: Bool
  private let lines: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private let counts = Mutex(Counts())

  private struct Counts {
    var answered = 0
    var failed = 0
    var cancelled = 0
    var unmatched = 0
    var leftOut = 0

    mutating func add(_ fate: RequestLog.Fate) {
      switch fate {
      case .answered: answered += 1
      case .failed: failed += 1
      case .cancelled: cancelled += 1
      case .unmatched: unmatched += 1
      case .inFlight, .held: break
      }
    }

    var text: String {
      let total = answered + failed + cancelled + unmatched
      let parts = [
        (answered, "answered"), (failed, "failed"), (cancelled, "cancelled"),
        (unmatched, "without a route"), (leftOut, "not printed"),
      ]
      let named = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      let list = named.isEmpty ? "" : ": " + named.joined(separator: ", ")
      return "request".counted(total) + list
    }
  }

  /// The maximum number of lines in the buffer.
  private static let waitingLimit = 10_000

  /// - Parameters:
  ///   - isJSON: whether each line is a JSON object.
  ///   - isQuiet: whether requests are only counted.
  ///   - isMasking: whether secrets in queries are masked.
  init(isJSON: Bool, isQuiet: Bool, isMasking: Bool) {
    self.isMasking = isMasking
    self.isJSON = isJSON
    self.isQuiet = isQuiet
    (lines, continuation) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(Self.waitingLimit)
    )
  }

  // MARK: Printing

  func add(_ request: ServedRequest) {
    counts.withLock { $0.add(request.fate) }
    if isQuiet { return }
    var request = request
    if isMasking { request.path = request.path.map(MaskedText.target) }
    if case .dropped = continuation.yield(isJSON ? request.json : request.line) {
      counts.withLock { $0.leftOut += 1 }
    }
  }

  /// Starts to print lines as they arrive.
  func print(whenDone done: @escaping @Sendable () -> Void) {
    Task { [lines] in
      for await line in lines { StandardStreams.write(line + "\n") }
      done()
    }
  }

  /// Ends the printing after the lines in the buffer.
  func end() { continuation.finish() }

  var summary: String { counts.withLock { $0.text } }

  /// The summary as JSON.
  var jsonSummary: String {
    let counts = counts.withLock(\.self)
    return JSONLine("served").with("answered", counts.answered).with("failed", counts.failed)
      .with("cancelled", counts.cancelled).with("unmatched", counts.unmatched)
      .with("notPrinted", counts.leftOut).text
  }
}

extension ServedRequest {
  /// `GET /posts  200  13 B  2 ms`
  var line: String {
    let what = method.map { "\($0) \((path ?? "").printable(atMost: 200))" } ?? "(no request)"
    let end = fate == .cancelled ? "cancelled" : nil
    let result = [status.map(String.init), problem, end].compactMap(\.self)
    return [what, result.joined(separator: " "), "\(bytesSent) B", "\(milliseconds) ms"]
      .joined(separator: "  ")
  }

  private var milliseconds: Int { Int(duration / .milliseconds(1)) }

  /// A JSON object with fixed fields in a fixed order.
  var json: String {
    let fields: [(String, String)] = [
      ("type", Self.text("request")),
      ("method", Self.text(method)), ("path", Self.text(path)),
      ("status", status.map(String.init) ?? "null"), ("problem", Self.text(problem)),
      ("bytes", "\(bytesSent)"), ("milliseconds", "\(milliseconds)"),
      ("fate", Self.text("\(fate)")),
    ]
    return "{" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
  }

  private static func text(_ text: String?) -> String {
    text.map { JSONValue.string($0).text } ?? "null"
  }
}
