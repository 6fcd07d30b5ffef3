/// The names of the fields of one object, each of which may occur once.
package struct FieldNames: Sendable {
  private var names: [String] = []
  /// All names, once they are more than a look at each is worth.
  private var index: Set<String> = []

  private static let fewest = 8

  package init() {}

  /// Adds a name; false if it is there already.
  package mutating func insert(_ name: String) -> Bool {
    if names.count < Self.fewest {
      if names.contains(name) { return false }
      names.append(name)
      if names.count == Self.fewest { index = Set(names) }
      return true
    }
    return index.insert(name).inserted
  }
}
