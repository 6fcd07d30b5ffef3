/// A walk through a history, past the entries that do not begin as the line did.
///
/// libedit's own search takes what is typed for a regular expression, found anywhere in an entry.
struct HistoryCursor {
  private let entries: [String]
  private let draft: String
  private let prefix: String
  /// The entry shown; at the end, the draft is.
  private var index: Int

  /// What the walk showed last. Once the line differs, the user has left the walk.
  private(set) var shown: String

  /// Begins at the line as typed; entries that begin with `prefix` are shown.
  init(entries: [String], line: String, prefix: String) {
    self.entries = entries
    self.prefix = prefix
    draft = line
    shown = line
    index = entries.count
  }

  /// The next older entry that fits and looks different; nil where there is none.
  mutating func older() -> String? {
    show(entries[..<index].lastIndex(where: fits))
  }

  /// The next newer entry that fits, and after the newest the line as it was typed; nil there.
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
