/// The file with the user, simulated in memory: a scene does not write to the disk.
@MainActor final class FileStorage {
  /// The number of writes and deletions.
  private(set) var accessCount = 0
  /// Receives a line for each change of the file.
  var observer: (String) -> Void = { _ in }

  /// Setting it writes the file; setting nil deletes it.
  var user: User? {
    didSet {
      accessCount += 1
      observer(user.map { "user.json written for \($0.email)" } ?? "user.json deleted")
    }
  }
}
