import HTTPTypes
import RemoteLoading

/// A pattern made ready for being compared with many requests.
struct PatternMatcher: Sendable {
  let pattern: RequestPattern
  private let authority: Authority?
  private let headers: [RequestPattern.Condition]
  private let json: JSONTree?
  private let isUnconditional: Bool

  init(_ pattern: RequestPattern) {
    self.pattern = pattern
    authority = pattern.host.map { Authority($0) }
    headers = pattern.headers.map { .init(name: $0.name.lowercased(), value: $0.value) }
    if case .json(let text)? = pattern.body {
      json = JSONTree(Array(text.utf8))
    } else {
      json = nil
    }
    isUnconditional =
      pattern.host == nil && pattern.query.isEmpty && headers.isEmpty && pattern.body == nil
  }

  /// Why a request does not match; nil where it does.
  func mismatch(_ reading: inout RequestReading) -> Mismatch? {
    if !pattern.path.matches(reading.segments) { return .path }
    return mismatchBesidePath(&reading)
  }

  /// The same for a request whose path is known to match.
  func mismatchBesidePath(_ reading: inout RequestReading) -> Mismatch? {
    if let method = pattern.method, !Self.serves(method, reading.method) { return .method }
    return isUnconditional ? nil : failingCondition(&reading)
  }

  /// Routes for GET serve HEAD too.
  private static func serves(_ method: HTTPRequest.Method, _ asked: HTTPRequest.Method) -> Bool {
    method == asked || asked == .head && method == .get
  }

  private func failingCondition(_ reading: inout RequestReading) -> Mismatch? {
    if let authority {
      guard let asked = reading.authority,
        authority.covers(asked, scheme: reading.request.head.scheme)
      else { return .host }
    }
    for condition in pattern.query {
      let values = reading.query.filter { $0.name == condition.name }.map(\.value)
      if !condition.value.isMet(by: values) { return .query(condition.name) }
    }
    for condition in headers
    where !condition.value.isMet(by: reading.values(ofHeader: condition.name)) {
      return .header(condition.name)
    }
    return bodyMatches(&reading) ? nil : .body
  }

  private func bodyMatches(_ reading: inout RequestReading) -> Bool {
    switch pattern.body {
    case nil: true
    case .contains(let text): reading.request.body.contains(Array(text.utf8))
    case .json:
      if let json, let sent = reading.json { sent.includes(json) } else { false }
    }
  }

  /// The first thing in which a request differs from a pattern.
  enum Mismatch: Equatable {
    case path, method, host
    case query(String)
    case header(String)
    case body
  }
}

extension RequestPattern.Condition.Value {
  fileprivate func isMet(by values: [String]) -> Bool {
    switch self {
    case .any, .capture: !values.isEmpty
    case .text(let text): values.contains(text)
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

  /// What the captures stand for in a path that matches.
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
