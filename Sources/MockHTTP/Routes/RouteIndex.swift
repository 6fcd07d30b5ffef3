/// The routes, indexed by path. `Route` documents the order of precedence.
struct RouteIndex {
  private var unscoped = PathTree()
  private var scoped: [String: PathTree] = [:]

  mutating func insert(_ cell: RouteCell) {
    if let scope = cell.route.scope {
      scoped[scope, default: PathTree()].insert(cell)
    } else {
      unscoped.insert(cell)
    }
  }

  /// Returns the route for a request, nil if there is none.
  func route(for reading: inout RequestReading, scope: String?) -> RouteCell? {
    if let scope, let tree = scoped[scope], let cell = tree.route(for: &reading) { return cell }
    return unscoped.route(for: &reading)
  }
}

/// A tree of path templates, one level per segment. In-order traversal is the order of precedence.
private struct PathTree {
  private var nodes = [Node()]
  /// Nodes by full path, for templates with only literal, unescaped segments.
  private var exact: [String: Int] = [:]

  private struct Node {
    var literals: [String: Int] = [:]
    var capture: Int?
    /// The routes that end here, more specific ones first.
    var here: [RouteCell] = []
    /// The routes whose rest begins here.
    var rest: [RouteCell] = []
  }

  // MARK: Inserting

  mutating func insert(_ cell: RouteCell) {
    let template = cell.route.pattern.path
    var node = 0
    for segment in template.segments {
      switch segment {
      case .literal(let text): node = child(of: node, \.literals[text])
      case .capture: node = child(of: node, \.capture)
      case .rest: return Self.insert(cell, into: &nodes[node].rest)
      }
    }
    Self.insert(cell, into: &nodes[node].here)
    if let path = template.plainPath { exact[path] = node }
  }

  private mutating func child(of node: Int, _ path: WritableKeyPath<Node, Int?>) -> Int {
    if let child = nodes[node][keyPath: path] { return child }
    nodes.append(Node())
    nodes[node][keyPath: path] = nodes.count - 1
    return nodes.count - 1
  }

  private static func insert(_ cell: RouteCell, into cells: inout [RouteCell]) {
    cells.insert(cell, at: cells.firstIndex { cell.precedes($0) } ?? cells.count)
  }

  // MARK: Finding

  func route(for reading: inout RequestReading) -> RouteCell? {
    if let node = exact[reading.target], let cell = Self.first(nodes[node].here, &reading) {
      return cell
    }
    return find(reading.segments[...], from: 0, &reading)
  }

  private func find(
    _ segments: ArraySlice<String>,
    from node: Int,
    _ reading: inout RequestReading
  ) -> RouteCell? {
    guard let segment = segments.first else {
      return Self.first(nodes[node].here, &reading) ?? Self.first(nodes[node].rest, &reading)
    }
    let rest = segments.dropFirst()
    if let child = nodes[node].literals[segment], let cell = find(rest, from: child, &reading) {
      return cell
    }
    if let child = nodes[node].capture, !segment.isEmpty,
      let cell = find(rest, from: child, &reading)
    {
      return cell
    }
    return Self.first(nodes[node].rest, &reading)
  }

  private static func first(
    _ cells: [RouteCell],
    _ reading: inout RequestReading
  ) -> RouteCell? {
    for cell in cells
    where !cell.hasPassed && cell.matcher.matchesBesidePath(&reading) {
      return cell
    }
    return nil
  }
}

extension PathTemplate {
  /// The only unescaped spelling of a matching path, nil if there are several.
  fileprivate var plainPath: String? {
    var path = ""
    for segment in segments {
      guard case .literal(let text) = segment,
        !text.utf8.contains(where: { "/%?".utf8.contains($0) })
      else { return nil }
      path += "/" + text
    }
    return segments.isEmpty ? "/" : path
  }
}
