import Rehearsal

/// The folders with transcripts if the user names none.
enum UsualFolders {
  static let names = ["transcripts", "Transcripts"]

  /// The existing folders, also in other capitals. Two names of one folder, as on a disk that ignores case, count once.
  /// A dangling link also counts, because its folder may be missing by mistake.
  static var present: [String] {
    var seen: Set<Folder.Identity> = []
    let others = Folder.entries(of: ".").map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
      .filter { $0.lowercased() == "transcripts" && !names.contains($0) && Folder.isFolder($0) }
    return (names + others).filter { name in
      (try? Folder.Identity(name)).map { seen.insert($0).inserted } ?? Folder.isLink(name)
    }
  }
}
