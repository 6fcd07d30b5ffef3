/// The holds of requests, and the exchanges that wait.
struct Holds {
  typealias Continuation = @Sendable () -> Void

  private var holds: [Hold] = []
  /// Waiting exchanges by id. The oldest has the smallest id.
  private var waiting: [Int: Waiting] = [:]

  private struct Hold {
    let matcher: PatternMatcher
    /// The command that began it; nil if none did.
    let command: String?
    var hasHeld = false
  }

  private struct Waiting {
    let request: RequestLog.Entry
    var continuation: Continuation?
  }

  /// The commands whose holds are not ended and have held nothing.
  var unmetCommands: [String] { holds.filter { !$0.hasHeld }.compactMap(\.command) }

  mutating func hold(
    _ pattern: RequestPattern,
    unbegun: [RequestLog.Entry],
    command: String?
  ) -> [Int] {
    let matcher = PatternMatcher(pattern)
    let held = unbegun.filter { $0.matches(matcher) }
    holds.append(Hold(matcher: matcher, command: command, hasHeld: !held.isEmpty))
    for entry in held { waiting[entry.id] = Waiting(request: entry) }
    return held.map(\.id)
  }

  mutating func holds(_ reading: inout RequestReading) -> Bool {
    var isHeld = false
    for index in holds.indices where !isHeld || !holds[index].hasHeld {
      guard holds[index].matcher.matches(&reading) else { continue }
      holds[index].hasHeld = true
      isHeld = true
    }
    return isHeld
  }

  mutating func keep(_ request: RequestLog.Entry) {
    waiting[request.id] = Waiting(request: request)
  }

  func isHeld(_ id: Int) -> Bool { !waiting.isEmpty && waiting[id] != nil }

  /// Waits for the release of a held exchange.
  ///
  /// - Returns: false if the exchange is not held.
  mutating func wait(_ id: Int, _ continuation: @escaping Continuation) -> Bool {
    guard isHeld(id) else { return false }
    waiting[id]?.continuation = continuation
    return true
  }

  mutating func forget(_ id: Int) {
    if !waiting.isEmpty { waiting[id] = nil }
  }

  /// Removes the hold with the same pattern, or all holds.
  mutating func endHolding(_ pattern: RequestPattern?) {
    guard let pattern else { return holds.removeAll() }
    holds.removeAll { $0.matcher.pattern.asksForSame(as: pattern) }
  }

  /// Removes waiting exchanges, oldest first.
  mutating func take(_ pattern: RequestPattern?, atMost count: Int) -> [(id: Int, Continuation?)] {
    let matcher = pattern.map { PatternMatcher($0) }
    let ids = waiting.keys.sorted().lazy.filter { [waiting] id in
      guard let matcher, let request = waiting[id]?.request else { return true }
      return request.matches(matcher)
    }
    return Array(ids.prefix(count)).map { ($0, waiting.removeValue(forKey: $0)?.continuation) }
  }
}

extension RequestPattern {
  /// Returns whether the patterns differ at most in the names of their captures and in their schemes.
  func asksForSame(as other: RequestPattern) -> Bool { nameless == other.nameless }

  private var nameless: RequestPattern {
    var result = self
    result.scheme = nil
    result.path.segments = path.segments.map { segment in
      switch segment {
      case .literal: segment
      case .capture: .capture("")
      case .rest: .rest("")
      }
    }
    result.query = query.map(\.nameless).sorted()
    result.headers = headers.map(\.nameless).sorted()
    return result
  }
}
