import HTTPTypes
import MockHTTP
import RehearsalBase
import Script

/// A line of `requests` about a request of the log.
struct RequestLine {
  let entry: RequestLog.Entry
  let times: TimeStyle

  /// The number, time, request, client and outcome.
  var text: String {
    var parts = ["\(entry.id)"]
    if entry.isInVirtualTime { parts.append(times.text(of: entry.received)) }
    parts.append("\(entry.method.rawValue) \(entry.path)".printable(atMost: 60))
    if let scope = entry.scope { parts.append("for \(scope)") }
    if entry.channel == .socket { parts.append("over socket") }
    parts.append(fate)
    return parts.joined(separator: "  ")
  }

  private var fate: String {
    switch entry.fate {
    case .inFlight: "in flight"
    case .held: "held"
    case .unmatched: "unmatched"
    case .cancelled: "cancelled" + ended
    case .failed:
      (entry.fault?.rawValue ?? entry.status.map { "\($0), cut short" } ?? "failed") + ended
    case .answered: (entry.status.map { "\($0)" } ?? "answered") + ended + ", " + size
    }
  }

  private var ended: String {
    guard entry.isInVirtualTime, let ended = entry.ended else { return "" }
    return " at " + times.text(of: ended)
  }

  private var size: String { "byte".counted(entry.bytesSent) }
}

extension RequestLog.Entry {
  /// Whether it was made on the stage, in memory or by a `URLSession`. Requests over a socket take
  /// real time, which is neither printed nor drawn.
  var isInVirtualTime: Bool {
    switch channel {
    case .memory, .urlSession: true
    case .socket: false
    }
  }
}
