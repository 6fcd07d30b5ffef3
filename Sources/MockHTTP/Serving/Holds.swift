/// The patterns of held requests, and the exchanges that wait.
struct Holds {
  typealias Continuation = @Sendable () -> Void

  private var patterns: [PatternMatcher] = []
  /// Waiting exchanges by id. The oldest has the smallest id.
  private var waiting: [Int: Waiting] = [:]

  private struct Waiting {
    let request: RequestLog.Entry
    var continuation: Continuation?
  }

  mutating func hold(_ pattern: RequestPattern, unbegun: [RequestLog.Entry]) -> [Int] {
    let matcher = PatternMatcher(pattern)
    patterns.append(matcher)
    let held = unbegun.filter { $0.matches(matcher) }
    for entry in held { waiting[entry.id] = Waiting(request: entry) }
    return held.map(\.id)
  }

  func holds(_ reading: inout RequestReading) -> Bool {
    for matcher in patterns where matcher.matches(&reading) { return true }
    return false
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
    guard let pattern else { return patterns.removeAll() }
    patterns.removeAll { $0.pattern.asksForSame(as: pattern) }
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
  /// Returns whether the patterns differ at most in the names of their captures.
  func asksForSame(as other: RequestPattern) -> Bool { nameless == other.nameless }

  private var nameless: RequestPattern {
    var result = self
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
