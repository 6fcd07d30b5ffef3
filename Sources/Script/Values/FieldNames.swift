/// The names of the fields of one object, each of which may occur once.
struct FieldNames {
  private var names: [String] = []
  /// All names, once they are more than a look at each is worth.
  private var index: Set<String> = []

  private static let fewest = 8

  /// Adds a name; false where it is there already.
  mutating func insert(_ name: String) -> Bool {
    if names.count < Self.fewest {
      if names.contains(name) { return false }
      names.append(name)
      if names.count == Self.fewest { index = Set(names) }
      return true
    }
    return index.insert(name).inserted
  }
}
