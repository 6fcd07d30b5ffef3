/// What the transcripts of a watched run depend on, as it was when they were played.
struct PlayedTranscripts {
  private struct Played {
    let stamp: FileStamp
    /// Where a change of the file itself shows.
    let folders: [String]
    var readings: [FileReading] = []
  }

  private var played: [String: Played] = [:]

  /// How many transcript files there are.
  var count: Int { played.count }

  /// How many other files they read, or looked for.
  var readingCount: Int { Set(played.values.flatMap { $0.readings.map(\.path) }).count }

  /// The folders in which something may happen that matters, besides those that were searched.
  var folders: Set<String> {
    var folders: Set<String> = []
    for one in played.values {
      folders.formUnion(one.folders)
      for reading in one.readings { folders.formUnion(Folder.whereChangesShow(of: reading.path)) }
    }
    return folders
  }

  /// Compares what was played with what is there now.
  ///
  /// - Parameter paths: the files that the run is about now.
  /// - Returns: what happened to them, to those that are gone, and to what they read.
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

  /// Takes changes for what is so now. A file's transcripts are taken to read what they read before, until they
  /// say otherwise.
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

  /// Takes note of what a file's transcripts read when they were played.
  mutating func note(_ readings: [FileReading], of path: String) {
    played[path]?.readings = readings
  }
}
