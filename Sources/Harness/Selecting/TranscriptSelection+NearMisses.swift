extension TranscriptSelection {
  /// Files of the searched folders that are no transcripts for want of a letter, other than those asked for by name; sorted.
  var nearMissesOfFolders: [String] { unnamed(nearMisses) }

  /// Pages of the searched folders that hold transcripts and end otherwise than in `.md`; sorted.
  var pagesOfFolders: [String] { unnamed(pages).filter(NearMiss.holdsTranscripts) }

  /// What to say of all that looks like transcripts in the searched folders and is not played.
  package var notes: [String] {
    NearMiss.notes(ofFiles: nearMissesOfFolders, pages: pagesOfFolders)
      + [NearMiss.note(ofDanglingLinks: danglingLinks.sorted())].compactMap(\.self)
  }

  /// The same of pages whose names end like those of transcripts, and that have no fence.
  package var notesOfPages: [String] {
    entries.compactMap { entry in
      Transcripts.fences(entry)?.isEmpty == true ? NearMiss.note(ofPage: entry.path) : nil
    }
  }

  private func unnamed(_ found: [String]) -> [String] {
    guard !found.isEmpty else { return [] }
    return Set(found).subtracting(entries.filter(\.isNamed).map(\.path)).sorted()
  }
}
