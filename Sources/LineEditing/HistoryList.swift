/// The entries of a history, oldest first: without duplicates and empty entries, up to a limit.
struct HistoryList: Equatable {
  let limit: Int
  private(set) var entries: [String] = []

  init(limit: Int, entries: some Sequence<String> = []) {
    self.limit = max(1, limit)
    var seen: Set<String> = []
    var newestFirst: [String] = []
    for entry in entries.reversed() where newestFirst.count < self.limit {
      if !entry.isEmpty, seen.insert(entry).inserted { newestFirst.append(entry) }
    }
    self.entries = newestFirst.reversed()
  }

  /// The effect of an addition on the list.
  enum Change: Equatable {
    /// The entry is empty, or is already the newest.
    case none
    /// The entry is new, at the end.
    case appended
    /// The entry existed and has moved to the end.
    case moved
  }

  /// Adds an entry as the newest.
  mutating func add(_ entry: String) -> Change {
    if entry.isEmpty || entries.last == entry { return .none }
    let earlier = entries.lastIndex(of: entry)
    if let earlier { entries.remove(at: earlier) }
    entries.append(entry)
    if entries.count > limit { entries.removeFirst(entries.count - limit) }
    return earlier == nil ? .appended : .moved
  }
}
