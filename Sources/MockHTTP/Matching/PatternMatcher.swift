import HTTPTypes
import RehearsalBase
import RemoteLoading

/// A pattern prepared for matching many requests: decides whether a request meets it, or how it differs.
struct PatternMatcher: Sendable {
  let pattern: RequestPattern
  private let authority: Authority?
  private let body: Body?
  private let isUnconditional: Bool

  private enum Body {
    case contains([UInt8])
    /// Nil: the condition is invalid JSON, which no body matches.
    case json(JSONValue?)
  }

  init(_ pattern: RequestPattern) {
    self.pattern = pattern
    authority = pattern.host.map { Authority($0) }
    body =
      switch pattern.body {
      case nil: nil
      case .contains(let text): .contains(Array(text.utf8))
      case .json(let text): .json(try? JSONValue(json: Array(text.utf8), repeatedNames: .kept))
      }
    isUnconditional =
      pattern.host == nil && pattern.query.isEmpty && pattern.headers.isEmpty && pattern.body == nil
  }

  func matches(_ reading: inout RequestReading) -> Bool {
    pattern.path.matches(reading.segments) && matchesBesidePath(&reading)
  }

  /// Returns whether a request with a matching path matches the other conditions.
  func matchesBesidePath(_ reading: inout RequestReading) -> Bool {
    guard methodMatches(reading.method) else { return false }
    return isUnconditional || meetsConditions(&reading)
  }

  /// Routes for GET also answer HEAD.
  private func methodMatches(_ asked: HTTPRequest.Method) -> Bool {
    guard let method = pattern.method else { return true }
    return method == asked || asked == .head && method == .get
  }

  // MARK: Conditions

  private func meetsConditions(_ reading: inout RequestReading) -> Bool {
    guard hostMatches(&reading) else { return false }
    for condition in pattern.query where !queryMeets(condition, &reading) { return false }
    for condition in pattern.headers where !headersMeet(condition, reading) { return false }
    return bodyMatches(&reading)
  }

  private func hostMatches(_ reading: inout RequestReading) -> Bool {
    guard let authority else { return true }
    guard let asked = reading.authority else { return false }
    return authority.covers(asked, scheme: reading.request.head.scheme)
  }

  private func queryMeets(
    _ condition: RequestPattern.Condition,
    _ reading: inout RequestReading
  ) -> Bool {
    reading.query.contains { $0.name == condition.name && condition.value.isMet(by: $0.value) }
  }

  private func headersMeet(
    _ condition: RequestPattern.Condition,
    _ reading: borrowing RequestReading
  ) -> Bool {
    reading.values(ofHeader: condition.name).contains { condition.value.isMet(by: $0) }
  }

  private func bodyMatches(_ reading: inout RequestReading) -> Bool {
    switch body {
    case nil: return true
    case .contains(let text): return reading.request.body.contains(text)
    case .json(let wanted):
      guard let wanted, let sent = reading.json else { return false }
      return sent.includes(wanted)
    }
  }

  // MARK: Differences

  /// Returns all differences between the request and the pattern.
  func differences(_ reading: inout RequestReading) -> [Difference] {
    var all: [Difference] = []
    if !methodMatches(reading.method) { all.append(.method) }
    if !hostMatches(&reading) { all.append(.host) }
    if !pattern.path.matches(reading.segments) { all.append(.path) }
    for condition in pattern.query where !queryMeets(condition, &reading) {
      all.append(.query(condition.name))
    }
    for condition in pattern.headers where !headersMeet(condition, reading) {
      all.append(.header(condition.name))
    }
    if !bodyMatches(&reading) { all.append(.body) }
    return all
  }

  enum Difference: Equatable {
    case method, host, path
    case query(String)
    case header(String)
    case body
  }
}

extension RequestPattern.Condition.Value {
  fileprivate func isMet(by value: String) -> Bool {
    switch self {
    case .any, .capture: true
    case .text(let text): value == text
    }
  }
}

extension PathTemplate {
  func matches(_ path: [String]) -> Bool {
    for (index, segment) in segments.enumerated() {
      switch segment {
      case .literal(let text): if index >= path.count || path[index] != text { return false }
      case .capture: if index >= path.count || path[index].isEmpty { return false }
      case .rest: return true
      }
    }
    return segments.count == path.count
  }

  /// Returns the values of the captures for a matching path.
  func captures(in path: [String]) -> [(name: String, value: String)] {
    zip(segments.indices, segments).compactMap { index, segment in
      switch segment {
      case .literal: nil
      case .capture(let name): (name, path[index])
      case .rest(let name): (name, path[min(index, path.count)...].joined(separator: "/"))
      }
    }
  }
}
