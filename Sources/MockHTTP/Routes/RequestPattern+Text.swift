import HTTPTypes
import RehearsalBase

/// Describes a pattern as text, `GET /posts?page=2`, and orders its conditions; the scheme is `http` if it names none.
extension RequestPattern: CustomStringConvertible {
  /// The method and target, as in a route: `GET /posts?page=2`.
  public var description: String {
    let target = originText + path.description + queryText
    return "\(method?.rawValue ?? "any") \(target)"
  }

  /// The scheme and the host, `http://localhost`; empty for any host.
  package var originText: String { host.map { "\(scheme ?? "http")://\($0)" } ?? "" }

  private var queryText: String {
    query.isEmpty ? "" : "?" + query.map(\.queryText).joined(separator: "&")
  }
}

extension RequestPattern.Condition {
  fileprivate var queryText: String {
    let name = PercentCoding.encoded(name, in: .query)
    return switch value {
    case .any: name
    case .text(let text): "\(name)=\(PercentCoding.encoded(text, in: .query))"
    case .capture(let capture): "\(name)={\(capture)}"
    }
  }

  /// The segment without the name of its capture.
  var nameless: Self {
    if case .capture = value { Self(name: name, value: .any) } else { self }
  }
}

extension RequestPattern.Condition: Comparable {
  /// Orders by name, then by value.
  public static func < (left: Self, right: Self) -> Bool {
    (left.name, left.value.order) < (right.name, right.value.order)
  }
}

extension RequestPattern.Condition.Value {
  fileprivate var order: String {
    switch self {
    case .any: "0"
    case .text(let text): "1" + text
    case .capture(let name): "2" + name
    }
  }
}
