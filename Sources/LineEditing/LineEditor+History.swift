internal import CLineEdit
import LibC

/// Adds an entered line to the history, in memory and in its file, and passes the entries to libedit.
extension LineEditor {
  /// Makes `entry` the newest one of the history, on disk, too. An existing entry moves; an empty one is ignored. An entry
  /// may have several lines; when recalled, it is edited as one.
  public func addHistory(_ entry: String) {
    guard let editor else { return }
    switch history.add(entry) {
    case .none: return
    case .appended: cle_history_add(editor, entry)
    case .moved: showHistory()
    }
    noteFailure { () throws(SystemError) in try historyFile?.append(entry) }
  }

  func loadHistory() {
    compactHistory(slack: history.limit)
    noteFailure { () throws(SystemError) in
      if let loaded = try historyFile?.load() { history = loaded }
    }
    showHistory()
  }

  func compactHistory(slack: Int) {
    noteFailure { () throws(SystemError) in try historyFile?.compact(slack: slack) }
  }

  /// Passes all entries to libedit again, because it recognises only repetitions of the newest one.
  private func showHistory() {
    guard let editor else { return }
    cle_history_clear(editor)
    for entry in history.entries { cle_history_add(editor, entry) }
  }

  private func noteFailure(_ operation: () throws(SystemError) -> Void) {
    do throws(SystemError) {
      try operation()
    } catch {
      historyFailure = error.code
    }
  }
}
