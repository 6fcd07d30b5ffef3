/// The changes of the files of a watched run since it was played, and their text in one line.
struct WatchChanges: Equatable {
  /// The kind of a change.
  enum Kind: Int, Equatable {
    case changed
    case new
    case gone
  }

  /// The changes by path.
  private(set) var causes: [String: Kind] = [:]
  /// The transcript files to play.
  var toPlay: Set<String> = []
  /// The current metadata of the transcript files.
  var stamps: [String: FileStamp] = [:]
  /// The transcript files that no longer exist.
  private(set) var gone: [String] = []
  /// Whether a file is missing or empty, which happens for a moment while an editor saves.
  private(set) var mayBeUnfinished = false

  /// Whether nothing has changed.
  var isEmpty: Bool { causes.isEmpty }

  /// Records a change of a transcript file.
  mutating func note(_ path: String, _ kind: Kind) {
    causes[path] = kind
    switch kind {
    case .changed, .new:
      toPlay.insert(path)
      if stamps[path]?.isEmpty != false { mayBeUnfinished = true }
    case .gone:
      gone.append(path)
      mayBeUnfinished = true
    }
  }

  /// Records a change of a file that a transcript had read.
  mutating func note(_ reading: FileReading, of path: String, isThere stamp: FileStamp?) {
    let now = stamp ?? FileStamp(words: [])
    causes[reading.path] = !reading.stamp.exists ? .new : now.exists ? .changed : .gone
    toPlay.insert(path)
    if now.isEmpty { mayBeUnfinished = true }
  }

  /// The changes in one line, with names if there are few.
  var sentence: String {
    let naming = PathKey()
    let sorted = causes.sorted { ($0.value.rawValue, $0.key) < ($1.value.rawValue, $1.key) }
    let named = sorted.prefix(3).map {
      "\(FailureText.quoted(naming.typed($0.key))) \(Self.words($0.value))"
    }
    let more = sorted.count > 3 ? ", and \(sorted.count - 3) more" : ""
    return FailureText.visible(named.joined(separator: ", ") + more)
  }

  private static func words(_ kind: Kind) -> String {
    switch kind {
    case .changed: "changed"
    case .new: "is new"
    case .gone: "is gone"
    }
  }
}
