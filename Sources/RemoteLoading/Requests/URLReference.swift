import RehearsalBase

/// A URL or relative reference, split into its parts by RFC 3986.
struct URLReference: Hashable {
  var scheme: Substring?
  var authority: Substring?
  var path: Substring
  var query: Substring?

  /// Parses any text without validating it. The fragment is dropped, because requests do not
  /// include it.
  init(_ text: Substring) {
    var rest = text.prefix { $0 != "#" }
    if let colon = rest.firstIndex(where: { ":/?".contains($0) }), rest[colon] == ":",
      Self.isScheme(rest[..<colon])
    {
      scheme = rest[..<colon]
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      authority = rest.prefix { $0 != "/" && $0 != "?" }
      rest = rest[(authority?.endIndex ?? rest.startIndex)...]
    }
    path = rest.prefix { $0 != "?" }
    if path.endIndex < rest.endIndex { query = rest[rest.index(after: path.endIndex)...] }
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first.isLetter else { return false }
    return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }

  /// Returns the target of the reference relative to `base`, which has a scheme: RFC 3986, 5.2.2.
  func resolved(against base: URLReference) -> URLReference {
    var target = self
    if scheme == nil {
      target.scheme = base.scheme
      if authority == nil {
        target.authority = base.authority
        if path.isEmpty {
          target.path = base.path
          target.query = query ?? base.query
        } else if !path.hasPrefix("/") {
          target.path = base.merging(path)
        }
      }
    }
    target.path = Self.removingDots(target.path)
    return target
  }

  private func merging(_ relative: Substring) -> Substring {
    if authority != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.lastIndex(of: "/") else { return relative }
    return path[...slash] + relative
  }

  /// Removes dot segments: RFC 3986, 5.2.4.
  private static func removingDots(_ path: Substring) -> Substring {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        if kept.count > 1 || (kept.first.map { !$0.isEmpty } ?? false) { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")[...]
  }
}

extension URLReference: CustomStringConvertible {
  var description: String {
    (scheme.map { "\($0):" } ?? "") + (authority.map { "//\($0)" } ?? "") + path
      + (query.map { "?\($0)" } ?? "")
  }
}
