extension TranscriptSelection {
  /// Files of the searched folders whose names almost end in `.transcript`, without those that the user named; sorted.
  var nearMissesOfFolders: [String] { unnamed(nearMisses) }

  /// Pages of the searched folders that contain transcripts and do not end in `.md`; sorted.
  var pagesOfFolders: [String] { unnamed(pages).filter(NearMiss.holdsTranscripts) }

  /// Transcripts, and pages that contain some, that only a dot before a name keeps from being played, without those that
  /// the user named; sorted.
  var hiddenFilesOfFolders: [String] {
    unnamed(hiddenFiles).filter { !Transcripts.isMarkdown($0) || NearMiss.holdsTranscripts($0) }
  }

  /// Notes about everything in the searched folders that looks like a transcript and is not played.
  package var notes: [String] {
    NearMiss.notes(ofFiles: nearMissesOfFolders, pages: pagesOfFolders)
      + [
        NearMiss.note(ofDanglingLinks: danglingLinks.sorted()),
        NearMiss.note(ofHiddenFiles: hiddenFilesOfFolders),
      ].compactMap(\.self)
  }

  /// Notes about pages whose names look like a transcript's, and that have no fence.
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
