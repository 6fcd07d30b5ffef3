/// The state of all files that the transcripts of a watched run depend on, at the time of the play.
struct PlayedTranscripts {
  private struct Played {
    let stamp: FileStamp
    /// The folders in which a change of the file shows.
    let folders: [String]
    var readings: [FileReading] = []
  }

  private var played: [String: Played] = [:]

  /// The number of transcript files.
  var count: Int { played.count }

  /// The number of other files that they read or looked for.
  var readingCount: Int { Set(played.values.flatMap { $0.readings.map(\.path) }).count }

  /// The folders with relevant files, besides the searched ones.
  var folders: Set<String> {
    var folders: Set<String> = []
    for one in played.values {
      folders.formUnion(one.folders)
      for reading in one.readings { folders.formUnion(Folder.whereChangesShow(of: reading.path)) }
    }
    return folders
  }

  /// Compares the files of the last play with the current ones.
  ///
  /// - Parameter paths: the files that are selected now.
  /// - Returns: the changes of these files, of removed ones, and of the files that they read.
  func changes(in paths: [String]) -> WatchChanges {
    var changes = WatchChanges()
    var others: [String: FileStamp] = [:]
    for path in paths {
      let now = FileStamp(of: path)
      changes.stamps[path] = now
      guard let before = played[path] else {
        changes.note(path, .new)
        continue
      }
      if before.stamp != now { changes.note(path, .changed) }
      for reading in before.readings where others[reading.path] == nil {
        others[reading.path] = FileStamp(of: reading.path)
      }
      let readings = before.readings.filter { others[$0.path] != $0.stamp }
      for reading in readings { changes.note(reading, of: path, isThere: others[reading.path]) }
    }
    for path in played.keys where changes.stamps[path] == nil { changes.note(path, .gone) }
    return changes
  }

  /// Adopts changes as the current state. Transcripts keep their old readings until they are played again.
  mutating func accept(_ changes: WatchChanges) {
    for path in changes.gone { played[path] = nil }
    for path in changes.toPlay {
      guard let stamp = changes.stamps[path] else { continue }
      played[path] = Played(
        stamp: stamp,
        folders: Folder.whereChangesShow(of: path),
        readings: played[path]?.readings.map { FileReading(of: $0.path) } ?? []
      )
    }
  }

  /// Records the readings of a file's transcripts.
  mutating func note(_ readings: [FileReading], of path: String) {
    played[path]?.readings = readings
  }
}
