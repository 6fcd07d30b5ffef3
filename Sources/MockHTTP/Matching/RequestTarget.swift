import RehearsalBase

/// The parts of a request's target as sent.
package enum RequestTarget {
  private static let slash = UInt8(ascii: "/")

  /// Returns the path, and the query after the question mark.
  package static func parts(of target: String) -> (path: Substring, query: Substring?) {
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else {
      return (target[...], nil)
    }
    return (target[..<mark], target[target.utf8.index(after: mark)...])
  }

  /// Returns the texts between the slashes; none for `/` and for an empty path.
  package static func rawSegments(of path: Substring) -> [Substring] {
    let inner = path.utf8.first == slash ? path[path.utf8.index(after: path.startIndex)...] : path
    guard !inner.isEmpty else { return [] }
    return inner.utf8.split(separator: slash, omittingEmptySubsequences: false).map {
      Substring($0)
    }
  }

  package static func segments(of path: Substring) -> [String] {
    rawSegments(of: path).map { PercentCoding.decoded($0) }
  }
}
