import HTTPTypes
import RehearsalBase
import RemoteLoading

/// Decides what the log keeps of a request and for how long; matches its entries with a pattern, and notes their ends.
extension RequestLog.Entry {
  init(
    id: Int,
    reading: borrowing RequestReading,
    scope: String?,
    channel: RequestLog.Channel,
    route: Int?,
    received: Duration,
    outcome: Exchange.Outcome,
    isHeld: Bool
  ) {
    let request = reading.request
    self.id = id
    head =
      reading.target.utf8.count > Self.keptBytes || !request.head.headerFields.isSmall
      ? Self.cut(request.head) : request.head
    body = request.body.count <= Self.keptBytes ? request.body : nil
    digest = Self.digest(of: request)
    self.scope = scope
    self.channel = channel
    self.route = route
    self.received = received
    bytesSent = 0
    switch outcome {
    case .response(let delivery): (status, fault, fate) = (delivery.status, nil, .inFlight)
    case .fault(let kind): (status, fault, fate) = (nil, kind, .inFlight)
    case .failure: (status, fault, fate) = (nil, nil, .unmatched)
    }
    if isHeld { fate = .held }
  }

  private static func digest(of request: RemoteRequest) -> UInt64? {
    if request.head.headerFields.isEmpty, request.body.isEmpty { return nil }
    var hash = FNV1a()
    for field in request.head.headerFields {
      hash.combine("\(field.name.canonicalName): \(field.value)\n".utf8)
    }
    hash.combine(request.body)
    return hash.value
  }

  /// Cuts a path that is longer than any real one, with an ellipsis.
  private static func cut(_ head: HTTPRequest) -> HTTPRequest {
    var head = head
    if let path = head.path, path.utf8.count > keptBytes {
      head.path = String(decoding: path.utf8.prefix(keptBytes), as: UTF8.self) + "…"
    }
    if !head.headerFields.isSmall { head.headerFields = [:] }
    return head
  }

  func matches(_ matcher: PatternMatcher) -> Bool {
    if body == nil, matcher.pattern.body != nil { return false }
    var reading = RequestReading(RemoteRequest(head, body: body ?? []))
    return matcher.matches(&reading)
  }
}

extension HTTPFields {
  fileprivate var isSmall: Bool {
    isEmpty
      || reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        <= RequestLog.Entry.keptBytes
  }
}

/// A ring buffer of the latest entries.
struct RequestRing {
  private var entries: [RequestLog.Entry] = []
  private let limit: Int
  private(set) var totalCount = 0

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// The id of the next request.
  var nextID: Int { totalCount + 1 }

  mutating func append(_ entry: RequestLog.Entry) {
    if entries.count < limit {
      entries.append(entry)
    } else {
      entries[totalCount % limit] = entry
    }
    totalCount += 1
  }

  /// Returns the entry of a request, nil if it was discarded.
  subscript(id: Int) -> RequestLog.Entry? {
    place(of: id).map { entries[$0] }
  }

  /// Changes the entry of a request in flight.
  ///
  /// - Returns: false if the request has ended.
  @discardableResult
  mutating func update(_ id: Int, _ change: (inout RequestLog.Entry) -> Void) -> Bool {
    guard let place = place(of: id) else { return true }
    guard entries[place].ended == nil else { return false }
    change(&entries[place])
    return true
  }

  /// Records that a complete answer was sent, unless the request has ended.
  mutating func complete(_ id: Int, bytesSent: Int, at time: Duration) {
    guard let place = place(of: id), entries[place].ended == nil else { return }
    entries[place].begun = entries[place].begun ?? time
    entries[place].ended = time
    entries[place].bytesSent = bytesSent
    entries[place].fate = .answered
  }

  private func place(of id: Int) -> Int? {
    guard id >= 1, id <= totalCount, id > totalCount - entries.count else { return nil }
    return (id - 1) % limit
  }

  var log: RequestLog {
    let oldest = totalCount > limit ? totalCount % limit : 0
    return RequestLog(
      entries: Array(entries[oldest...] + entries[..<oldest]),
      cutCount: totalCount - entries.count
    )
  }

  /// The entries of requests without a first byte, oldest first.
  var unbegun: [RequestLog.Entry] {
    log.entries.filter { $0.fate == .inFlight && $0.begun == nil }
  }
}
