/// Recorded requests, in order.
public struct Traffic: Sendable {
  /// The recorded exchanges, in order.
  public var exchanges: [RecordedExchange]
  /// The number of skipped entries, by reason.
  public internal(set) var leftOut: [LeftOut: Int] = [:]

  /// The reason why an entry is missing from the exchanges or the routes.
  public enum LeftOut: String, Sendable, Hashable, CaseIterable {
    case webSocket = "WebSocket"
    /// `data:`, `blob:`, `file:`, an extension's, …
    case otherScheme = "not http or https"
    case cancelled = "cancelled by the browser"
    case blocked = "blocked by the browser"
    case noAnswer = "without an answer"
    case brokenOff = "broken off during the answer"
    case badStatus = "with a status outside of 200 to 599"
    /// The entry does not follow the HAR format.
    case unreadable = "not readable"
    case badRequest = "without a valid request"
    case otherHost = "for other hosts"
    /// The answers are too many or too long for one command.
    case tooMuch = "too large for one route"
  }

  /// The maximum size of a HAR file, in bytes.
  public static let limitInBytes = 100 << 20

  /// The requested hosts, sorted: `name`, or `name:port` for an unusual port.
  public var hosts: [String] { RecordedHosts(exchanges, wanted: []).names }

  /// Creates traffic that was not recorded as a file; nothing is left out.
  public init(_ exchanges: [RecordedExchange]) {
    self.exchanges = exchanges
  }

  /// Reads a HAR 1.2 file of a browser, proxy or tool. The exchanges are in the order of their requests.
  ///
  /// - Parameter har: the file's bytes, at most `limitInBytes`.
  /// - Throws: `HARProblem`, with its location. A malformed entry is skipped, unless it is the only
  ///   one or
  ///   its end cannot be found.
  public init(har: [UInt8]) throws(HARProblem) {
    exchanges = []
    guard har.count <= Self.limitInBytes else {
      throw HARProblem(reason: .tooLarge(limitInBytes: Self.limitInBytes), place: nil)
    }
    var reader = HARReader(har)
    let entries = try reader.entries()
    if reader.unreadableCount > 0 { leftOut[.unreadable] = reader.unreadableCount }
    for entry in Self.ordered(entries) {
      switch entry.exchange {
      case .success(let exchange): exchanges.append(exchange)
      case .failure(let reason): leftOut[reason, default: 0] += 1
      }
    }
  }
}

extension Traffic {
  /// Returns the entries in the order of their starts, if these can be compared as texts: they have one form.
  private static func ordered(_ entries: [HAREntry]) -> [HAREntry] {
    // `2026-11-30T09:00:00.000` and the time zone.
    let forms = Set(entries.map { "\($0.start.utf8.count) \($0.start.dropFirst(23))" })
    guard forms.count == 1 else { return entries }
    return entries.enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }.map(\.element)
  }
}

extension Traffic.LeftOut: Error {}
