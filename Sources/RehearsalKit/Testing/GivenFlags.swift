/// The names of given flags, for errors about flags that exclude each other.
enum GivenFlags {
  /// Returns the names whose value is true, in order.
  static func names(_ flags: KeyValuePairs<String, Bool>) -> [String] {
    flags.filter(\.value).map(\.key)
  }
}
