/// What happened to the files of a watched run since it was played.
struct WatchChanges: Equatable {
  /// What can happen to a file.
  enum Kind: Int, Equatable {
    case changed
    case new
    case gone
  }

  /// What happened, by path.
  private(set) var causes: [String: Kind] = [:]
  /// The transcript files that are to be played.
  var toPlay: Set<String> = []
  /// What stands now at the paths of the transcript files.
  var stamps: [String: FileStamp] = [:]
  /// The transcript files that are no more.
  private(set) var gone: [String] = []
  /// Whether something is gone, or empty, as it is for a moment while an editor saves.
  private(set) var mayBeUnfinished = false

  /// Whether nothing happened.
  var isEmpty: Bool { causes.isEmpty }

  /// Takes note of what happened to a transcript file.
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

  /// Takes note of a file that the transcripts of another had read, and that is no longer as it was.
  mutating func note(_ reading: FileReading, of path: String, isThere stamp: FileStamp?) {
    let now = stamp ?? FileStamp(words: [])
    causes[reading.path] = !reading.stamp.exists ? .new : now.exists ? .changed : .gone
    toPlay.insert(path)
    if now.isEmpty { mayBeUnfinished = true }
  }

  /// What happened, in a line: with names while they are few.
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
