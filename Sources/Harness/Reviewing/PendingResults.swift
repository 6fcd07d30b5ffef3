import LibC
import RehearsalBase

/// The pending results of a run: writes one for each file that differs, and removes that of a file that passes.
struct PendingResults {
  /// The reported results. A failure that can be accepted has the command for that.
  private(set) var plays: [TranscriptPlay]
  /// Notes about pending results that could not be written.
  private(set) var notes: [String] = []

  private let place: PendingPlace
  private let entries: [TranscriptSelection.Entry]
  /// Paths that could not be written, in the order of their files.
  private var unwritable: [(path: String, problem: FileProblem)] = []
  private var leavesAny = false

  /// Writes and removes pending results.
  ///
  /// - Parameters:
  ///   - place: the location of pending results.
  ///   - entries: all files of the run.
  ///   - plays: the reported results, in any order.
  ///   - passes: returns the number of passed transcripts of a file, by its index.
  init(
    _ place: PendingPlace,
    _ entries: [TranscriptSelection.Entry],
    _ plays: [TranscriptPlay],
    passes: (Int) -> Int
  ) {
    self.place = place
    self.entries = entries
    self.plays = plays.filter { $0.outcome != .proposed }
    let failed = Set(plays.filter(\.hasFailed).map(\.file))
    var proposals: [Int: [TranscriptPlay]] = [:]
    for play in plays where play.outcome == .proposed {
      proposals[play.file, default: []].append(play)
    }
    refuseUnstable(proposals)
    for (file, plays) in proposals.sorted(by: { $0.key < $1.key }) { propose(file, plays) }
    let updated = Set(plays.filter { $0.outcome == .updated }.map(\.file))
    makeFolder()
    removeObsolete { file, path in
      failed.contains(file)
        ? proposals[file] == nil && fitsNoMore(file, path)
        : passes(file) > 0 || updated.contains(file)
    }
    noteUnwritable()
  }

  /// Adds notes about what could not be written: one if nothing could, otherwise one for each folder and problem.
  private mutating func noteUnwritable() {
    guard !unwritable.isEmpty else { return }
    let advice = "'--pending FOLDER' sets another folder"
    guard leavesAny else {
      let problem = unwritable[0].problem.sentence
      notes.append("no pending result was written: \(problem); \(advice)")
      return
    }
    var rest = unwritable
    while let first = rest.first {
      let isAlike = { (place: (path: String, problem: FileProblem)) in
        place.problem == first.problem && Self.folder(of: place.path) == Self.folder(of: first.path)
      }
      let count = rest.count(where: isAlike)
      let more = count > 1 ? " and \(count - 1) more" : ""
      notes.append(
        "\(FailureText.quoted(first.path))\(more): the pending result was not written: \(first.problem.sentence); \(advice)"
      )
      rest.removeAll(where: isAlike)
    }
  }

  private static func folder(of path: String) -> Substring {
    path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)]
  }

  /// Creates the folder even if no result is pending, so that reviews can rely on it.
  private mutating func makeFolder() {
    guard let folder = place.folder else { return }
    do throws(FileProblem) {
      try Folder.create(folder)
    } catch {
      if unwritable.isEmpty { unwritable = [(folder, error)] }
    }
  }

  /// Adds a note to failures that cannot be accepted because their output differs in every play.
  private mutating func refuseUnstable(_ proposals: [Int: [TranscriptPlay]]) {
    let proposed = proposals.mapValues { Set($0.map(\.fence)) }
    for index in plays.indices {
      let play = plays[index]
      guard play.hasFailed, entries[play.file].bytes == nil,
        play.failures.allSatisfy(\.isAcceptable), proposed[play.file]?.contains(play.fence) != true
      else { continue }
      change(index) {
        $0.acceptance = nil
        $0.notes.append(
          "no pending result: a transcript that expects this fails, too; patterns may help"
        )
      }
    }
  }

  private mutating func propose(_ file: Int, _ proposed: [TranscriptPlay]) {
    let entry = entries[file]
    // Otherwise a review that runs at the same time could have its remaining result replaced by an outdated one.
    let lock = FolderLock(ofFile: entry.path)
    defer { lock?.unlock() }
    guard entry.bytes == nil, let bytes = try? FileBytes.read(entry.path) else { return }
    let proposals = proposed.compactMap(\.proposal)
    let base = FNV1a.hash(bytes)
    guard proposals.allSatisfy({ $0.base == base }) else {
      return note("no pending result: the file has changed in the meantime", file, proposed)
    }
    let content = TextEdit.apply(proposals.flatMap(\.edits), to: bytes)
    let counts = Transcripts.parse(entry.path, bytes, for: nil).map(\.blocks.count)
    let failing = proposed.flatMap { play in
      let before = counts.prefix(play.fence).reduce(0, +)
      return play.proposal?.failing.map { before + $0 } ?? []
    }
    let path = place.path(for: entry.path)
    do throws(FileProblem) {
      try write(PendingResult(base: base, content: content, failing: failing), path)
      leavesAny = true
    } catch .other(code: ENAMETOOLONG) {
      return note("no pending result: its name would be too long for the disk", file, proposed)
    } catch {
      unwritable.append((path, error))
      return
    }
    let place = place
    change(file, proposed) { $0.acceptance = place.acceptance(of: $0.path, line: $0.line) }
  }

  private func write(_ result: PendingResult, _ path: String) throws(FileProblem) {
    let bytes = result.bytes
    if let old = try? FileBytes.read(path), old == bytes { return }
    if place.folder != nil, let slash = path.lastIndex(of: "/") {
      try Folder.create(String(path[..<slash]))
    }
    try AtomicFile.write(bytes, to: path)
  }

  private mutating func note(_ text: String, _ file: Int, _ proposed: [TranscriptPlay]) {
    change(file, proposed) { $0.notes.append(text) }
  }

  /// Changes the acceptable failures of the proposed transcripts.
  private mutating func change(
    _ file: Int,
    _ proposed: [TranscriptPlay],
    _ body: (inout TranscriptFailure) -> Void
  ) {
    let fences = Set(proposed.map(\.fence))
    for index in plays.indices
    where plays[index].file == file && fences.contains(plays[index].fence) {
      change(index, body)
    }
  }

  /// Changes the failure that a proposal belongs to.
  private mutating func change(_ index: Int, _ body: (inout TranscriptFailure) -> Void) {
    for place in plays[index].failures.indices
    where plays[index].failures[place].isAcceptable { body(&plays[index].failures[place]) }
  }

  /// Returns whether a pending result was made for another content of the file and can no longer be accepted.
  private func fitsNoMore(_ file: Int, _ path: String) -> Bool {
    guard let result = (try? FileBytes.read(path)).flatMap(PendingResult.init),
      let bytes = try? FileBytes.read(entries[file].path)
    else { return false }
    return !result.fits(bytes)
  }

  /// Removes obsolete pending results. Reads each folder once, because most files have none.
  private func removeObsolete(_ isObsolete: (_ file: Int, _ path: String) -> Bool) {
    var folder: (path: Substring, names: Set<Substring>)?
    // The last folder without pending results. In most runs every folder is one.
    var quiet: Substring?
    for (index, entry) in entries.enumerated() where entry.bytes == nil {
      let above = entry.path[
        ..<(entry.path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? entry.path.startIndex)
      ]
      if quiet == above { continue }
      let path = place.path(for: entry.path)
      let cut = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let parent = cut.map { path[..<$0] } ?? "."
      if folder?.path != parent {
        let names = Folder.names(
          of: parent.isEmpty ? "/" : String(parent),
          endingIn: PendingPlace.suffix
        )
        folder = (parent, Set(names.map { $0[...] }))
      }
      if place.folder == nil, folder?.names.isEmpty == true { quiet = above }
      let name = cut.map { path[path.index(after: $0)...] } ?? path[...]
      if folder?.names.contains(name) == true, isObsolete(index, path) { unlink(path) }
    }
  }
}
