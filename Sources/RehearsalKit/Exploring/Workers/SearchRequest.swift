import Exploring

/// A request to a worker of a search.
enum SearchRequest: Codable {
  /// Perform the default schedule.
  case plain
  /// Perform one run for each seed. `length` is the number of decisions of the default schedule. `keeping` says whether
  /// the search still keeps new groups.
  case seeds(Range<UInt64>, length: Int, keeping: Bool)
  /// Continue the systematic search from a place for a number of runs.
  case tree(TreePlace, runs: Int, keeping: Bool)
  /// Perform one schedule.
  case replay(Schedule)
  /// Perform other commands by a schedule.
  case perform([String], Schedule)

  /// Whether a failure to answer tells nothing about the search.
  var isTrial: Bool { if case .perform = self { true } else { false } }
}
