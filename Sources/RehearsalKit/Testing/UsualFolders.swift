import Rehearsal

/// The folders in which transcripts lie if the user names none.
enum UsualFolders {
  static let names = ["transcripts", "Transcripts"]

  /// The existing ones. Two names of one folder, as on a disk that ignores case, count once. A link that leads nowhere
  /// also counts, because it may have been the folder.
  static var present: [String] {
    var seen: Set<Folder.Identity> = []
    return names.filter { name in
      (try? Folder.Identity(name)).map { seen.insert($0).inserted } ?? Folder.isLink(name)
    }
  }
}
