/// The file that remembers the user, in memory here: a scene leaves nothing on the disk.
@MainActor final class FileStorage {
  /// How often the file was written or deleted.
  private(set) var accessCount = 0
  /// Told what happened to the file.
  var observer: (String) -> Void = { _ in }

  /// Written when set, deleted when set to nil.
  var user: User? {
    didSet {
      accessCount += 1
      observer(user.map { "user.json written for \($0.email)" } ?? "user.json deleted")
    }
  }
}
