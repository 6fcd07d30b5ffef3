/// A position in a history, for Up and Down: it skips entries without the prefix of the line.
///
/// libedit's own search would interpret the prefix as a regular expression that matches anywhere in an entry.
struct HistoryCursor {
  private let entries: [String]
  private let draft: String
  private let prefix: String
  /// The index of the shown entry; the entry count for the draft.
  private var index: Int

  /// The line that was shown last. If the current line differs, the user has edited it.
  private(set) var shown: String

  /// Begins at the typed line; only entries with `prefix` are shown.
  init(entries: [String], line: String, prefix: String) {
    self.entries = entries
    self.prefix = prefix
    draft = line
    shown = line
    index = entries.count
  }

  /// Returns the next older matching entry that differs from the shown one; nil if there is none.
  mutating func older() -> String? {
    show(entries[..<index].lastIndex(where: fits))
  }

  /// Returns the next newer matching entry, or the typed line after the newest one; nil at the typed line.
  mutating func newer() -> String? {
    guard index < entries.count else { return nil }
    return show(entries[(index + 1)...].firstIndex(where: fits) ?? entries.count)
  }

  private func fits(_ entry: String) -> Bool { entry.hasPrefix(prefix) && entry != shown }

  private mutating func show(_ found: Int?) -> String? {
    guard let found else { return nil }
    index = found
    shown = found < entries.count ? entries[found] : draft
    return shown
  }
}
