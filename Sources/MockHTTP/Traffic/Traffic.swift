/// Requests that were really made, in their order.
public struct Traffic: Sendable {
  /// What was recorded, in its order.
  public var exchanges: [RecordedExchange]
  /// How many entries of the recording became no exchange, and why.
  public internal(set) var leftOut: [LeftOut: Int] = [:]

  /// Why an entry of a recording is not among the exchanges or the routes.
  public enum LeftOut: String, Sendable, Hashable, CaseIterable {
    case webSocket = "WebSocket"
    /// `data:`, `blob:`, `file:`, an extension's, …
    case otherScheme = "not http or https"
    case cancelled = "cancelled by the browser"
    case blocked = "blocked by the browser"
    case noAnswer = "without an answer"
    case badStatus = "with a status outside of 200 to 599"
    /// Something in the entry is not as a HAR file has it.
    case unreadable = "not readable"
    case badRequest = "no valid request"
    case otherHost = "of other hosts"
    /// More answers, or longer ones, than one command holds.
    case tooMuch = "beyond what one route can say"
  }

  /// The largest HAR file that is read, in bytes.
  public static let limitInBytes = 100 << 20

  /// The hosts that were asked, sorted: `name`, or `name:port` where the port is not the usual one.
  public var hosts: [String] { RecordedHosts(exchanges, wanted: []).names }

  /// Traffic that was recorded in another way than as a file; nothing is left out.
  public init(_ exchanges: [RecordedExchange]) {
    self.exchanges = exchanges
  }

  /// Reads a HAR 1.2 file as browsers, proxies and tools write it.
  ///
  /// - Parameter har: the file's bytes, at most `limitInBytes`.
  /// - Throws: `HARProblem`, with the place of the mistake. One entry that is not as it should be is left
  ///   out, unless it is the only one or what follows cannot be told from it.
  public init(har: [UInt8]) throws(HARProblem) {
    exchanges = []
    guard har.count <= Self.limitInBytes else {
      throw HARProblem(reason: .tooLarge(limitInBytes: Self.limitInBytes), place: nil)
    }
    var reader = HARReader(har)
    let entries = try reader.entries()
    if reader.unreadableCount > 0 { leftOut[.unreadable] = reader.unreadableCount }
    for entry in entries {
      switch entry.exchange {
      case .success(let exchange): exchanges.append(exchange)
      case .failure(let reason): leftOut[reason, default: 0] += 1
      }
    }
  }
}

extension Traffic.LeftOut: Error {}
