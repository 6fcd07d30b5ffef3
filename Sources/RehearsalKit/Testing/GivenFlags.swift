/// Which of several flags were given.
enum GivenFlags {
  /// The names of those for which it holds, in order.
  static func names(_ flags: KeyValuePairs<String, Bool>) -> [String] {
    flags.filter(\.value).map(\.key)
  }
}
