import LibC
import RehearsalBase
import Workers

/// The plan of a run: its files and their order; refuses a run if no file is left.
struct RunPlan {
  /// Why there is nothing to play, as a message for the user.
  struct Refusal: Error {
    let problems: [String]
    var hint: String?
    /// Whether the problem is the report files themselves, so that none of them may be written.
    var isOfReports = false
    /// Whether the problem is names that cannot be distinguished.
    var isOfNames = false
  }

  /// Maximum number of plays in one run.
  private static let playLimit = 10_000_000

  /// The files, in the order of their paths.
  let entries: [TranscriptSelection.Entry]
  /// The keys of the files, which are the same on every machine, in the same order.
  let keys: [String]
  let order: PlayOrder
  /// The paths of the selected files, if not all of them are played now.
  private let chosen: [String]?
  /// The named paths that do not exist.
  let missing: Set<String>
  /// The folders that were searched.
  let folders: [String]
  /// The files of the other shards.
  let ofOtherShards: [TranscriptSelection.Entry]
  /// The digest that all shards of one run share; nil if the run is not sharded.
  let digest: SelectionDigest?
  /// The moment at which the selection began.
  let start: FileMoment
  /// The monotonic real time at which the selection began, in milliseconds.
  let begin: Int
  /// Notes for the report.
  private(set) var notes: [String] = []
  /// All keys in the searched folders, and the keys of these folders.
  private let searched: (keys: [String], roots: [String])

  /// Creates a plan for files that are already in memory.
  init(contents: [TranscriptSelection.Entry]) {
    entries = contents
    keys = contents.map(\.path)
    chosen = nil
    missing = []
    folders = []
    ofOtherShards = []
    digest = nil
    start = FileMoment(0, 0)
    begin = ProcessControl.milliseconds
    order = PlayOrder(keys, TestHistory())
    searched = ([], [])
  }

  /// Finds and selects files.
  ///
  /// - Throws: `Refusal` if no file is left, unless only this shard is empty.
  init(paths: [String], _ options: TranscriptRunner.Options) throws(Refusal) {
    let begin = ProcessControl.milliseconds
    self.begin = begin
    start = .now
    var selection = TranscriptSelection(paths: paths)
    try Self.refuseEqualNames(in: selection)
    try Self.refuseReports(in: selection, options)
    missing = Set(selection.entries.filter(\.isMissing).map(\.path))
    let naming = PathKey()
    let keysOf = { (entries: [TranscriptSelection.Entry]) in naming.keys(entries.map(\.path)) }
    let found = keysOf(selection.entries)
    searched = options.history == nil ? ([], []) : (found, paths.map(naming.key))
    let known = try options.history?.read(isKept: !options.writesHistory)
    let history = known?.history ?? TestHistory()
    if let note = known?.note { notes.append(note) }
    let nearMisses = selection.nearMissesOfFolders
    let pages = selection.pagesOfFolders
    if options.only == nil { notes += selection.notes }
    let isCut = try selection.keep(options.filters, &notes) { () throws(Refusal) in
      guard let limit = options.totalTimeoutInMilliseconds,
        ProcessControl.milliseconds - begin >= limit
      else { return }
      let time = WorkerEnd.Cause.compact(limit)
      throw Refusal(
        problems: ["the run reached its limit of \(time) before its transcripts were selected"],
        hint: "the time limit of the whole run is set by '--total-timeout'"
      )
    }
    let filtered = selection.entries.count
    let hint = NearMiss.hint(
      forFiles: nearMisses,
      pages: pages,
      hidden: selection.hiddenFilesOfFolders
    )
    try Self.refuseNothing(selection, paths, options.filters, hint)
    if options.onlyFailed {
      do throws(Refusal) {
        try selection.keepFailed(history, naming)
      } catch {
        // A damaged history contains no failure.
        throw Refusal(problems: [known?.note].compactMap(\.self) + error.problems, hint: error.hint)
      }
      let gone = Self.gone(history.failed, roots: searched.roots, found: Set(found))
      notes += [Self.note(ofGone: gone)].compactMap(\.self)
    }
    let count = selection.entries.count
    if options.only == nil, isCut || count < filtered {
      let chosen = selection.entries.count { $0.fences?.isEmpty != true }
      notes += [Self.note(ofChosen: chosen, of: found.count, options)].compactMap(\.self)
    }
    let addsFolders = selection.addEmptyFolders()
    if let shard = options.shard {
      let isBalanced = options.history?.isNamed == true && !history.isEmpty
      if !isBalanced, let history = options.history, history.isNamed, known?.note == nil {
        let path = FailureText.quoted(history.path)
        notes.append("\(path) has no times yet: files are divided into shards by their paths")
      }
      let keys = keysOf(selection.entries)
      let times = isBalanced ? history.records(of: keys).map { $0?.microseconds } : []
      let parts = isBalanced ? shard.parts(keys) { times[$0] } : shard.parts(keys)
      digest = SelectionDigest(
        selection.entries,
        keys,
        parts,
        of: shard.count,
        settings: options.settingsOfResults
      )
      let own = shard.files(of: parts)
      let others = Set(selection.entries.indices).subtracting(own)
      ofOtherShards = others.sorted().map { [entries = selection.entries] in entries[$0] }
      selection.entries = own.map { selection.entries[$0] }
    } else {
      (digest, ofOtherShards) = (nil, [])
    }
    folders = selection.folders
    chosen = options.only == nil ? nil : selection.entries.map(\.path)
    if let only = options.only { selection.entries.removeAll { !only.contains($0.path) } }
    entries = selection.entries
    let isWhole = options.shard == nil && !addsFolders && entries.count == found.count
    keys = isWhole ? found : keysOf(entries)
    guard keys.count <= Self.playLimit / options.repeats else {
      throw Refusal(
        problems: ["\(keys.count) files \(options.repeats) times are too many for one run"],
        hint: "choose fewer, or repeat them less often"
      )
    }
    if let seed = options.orderSeed {
      order = PlayOrder(count: keys.count, rounds: options.repeats, seed: seed)
    } else {
      order = PlayOrder(keys, history)
    }
  }

  /// Refuses two files whose names are canonically equivalent in Unicode. Lists, histories and reports are text and could
  /// not distinguish them.
  private static func refuseEqualNames(in selection: TranscriptSelection) throws(Refusal) {
    var seen: [String: String] = [:]
    for entry in selection.entries where !entry.path.utf8.allSatisfy({ $0 < 0x80 }) {
      guard let other = seen.updateValue(entry.path, forKey: entry.path) else { continue }
      let names = [other, entry.path].map { "'\($0.codePoints)'" }.joined(separator: " and ")
      throw Refusal(
        problems: ["two files have the same name in different code points: \(names)"],
        hint: "rename one of them",
        isOfNames: true
      )
    }
  }

  /// Refuses reports that would overwrite files of the run.
  private static func refuseReports(
    in selection: TranscriptSelection,
    _ options: TranscriptRunner.Options
  ) throws(Refusal) {
    let files = ReportFiles(options.reporters, options.coverage)
    do throws(ReportFiles.Conflict) {
      try files.checkNames()
      try files.check(options.knownFlaky, is: "the list of known flaky transcripts")
      try files.check(options.history?.path, is: "the history of tests")
      try files.check(selection.entries, options.pending)
    } catch {
      throw Refusal(problems: [error.sentence], hint: error.hint, isOfReports: true)
    }
  }

  private static func refuseNothing(
    _ selection: TranscriptSelection,
    _ paths: [String],
    _ filters: [TranscriptFilter],
    _ hint: String?
  ) throws(Refusal) {
    guard selection.entries.isEmpty else { return }
    let words = filters.map(\.sentence).joined(separator: " and ")
    let which = words.isEmpty ? "" : " " + words
    throw Refusal(
      problems: ["no transcript\(which) in: \(paths.joined(separator: ", "))"],
      hint: filters.isEmpty
        ? hint ?? "transcripts end in .transcript, or are code blocks of a .md file"
        : "'--list' without filters shows paths, names and tags"
    )
  }

  /// The paths of all selected files, including those that are not played now.
  var all: [String] { chosen ?? entries.map(\.path) }

  /// Returns whether a file of the history was searched for and no longer exists.
  var isGone: (String) -> Bool {
    // Computed on demand: most runs play every known file and never call this.
    var found: Set<String>?
    return { [searched] key in
      guard Self.isBelow(searched.roots, key) else { return false }
      let keys = found ?? Set(searched.keys)
      found = keys
      return !keys.contains(key)
    }
  }
}

extension RunPlan {
  private static func isBelow(_ roots: [String], _ key: String) -> Bool {
    roots.contains { root in
      root.isEmpty ? !key.hasPrefix("../") : key == root || key.hasPrefix(root + "/")
    }
  }

  /// Returns the files of a history that were searched for and no longer exist.
  private static func gone(_ keys: [String], roots: [String], found: Set<String>) -> [String] {
    keys.filter { isBelow(roots, $0) && !found.contains($0) }.sorted()
  }

  /// Returns a note that describes the selected part of the files; nil for all files.
  private static func note(
    ofChosen count: Int,
    of found: Int,
    _ options: TranscriptRunner.Options
  ) -> String? {
    let words = options.filters.map(\.sentence) + (options.onlyFailed ? ["that failed last"] : [])
    guard !words.isEmpty else { return nil }
    let files = "file".counted(found)
    return
      "only transcripts \(words.joined(separator: " and ")) were chosen, from \(count) of \(files)"
  }

  private static func note(ofGone keys: [String]) -> String? {
    guard let first = keys.first else { return nil }
    let more = keys.count > 1 ? " and \(keys.count - 1) more" : ""
    return
      "\(FailureText.quoted(first))\(more) failed last and no longer exists; without '--failed' all are replayed"
  }
}

extension TranscriptSelection {
  /// Keeps the transcripts that match all filters. Files are read if their paths do not decide; in Markdown, single
  /// fences are kept.
  ///
  /// - Parameters:
  ///   - filters: the filters.
  ///   - notes: receives a note for each comment that almost sets tags, if a filter is about tags.
  ///   - check: throws if there is no time left; called after each file that is read.
  /// - Returns: whether a file or a fence is left out. A page without a fence does not count.
  /// - Throws: errors of `check`.
  fileprivate mutating func keep(
    _ filters: [TranscriptFilter],
    _ notes: inout [String],
    _ check: () throws(RunPlan.Refusal) -> Void
  ) throws(RunPlan.Refusal) -> Bool {
    let byPath = filters.filter { !$0.readsFile }
    let byContent = filters.filter(\.readsFile)
    let count = entries.count
    if !byPath.isEmpty {
      entries.removeAll { entry in
        !byPath.allSatisfy { entry.isAllowed(by: $0) }
      }
    }
    var isCut = entries.count < count
    guard !byContent.isEmpty else { return isCut }
    var kept: [Entry] = []
    for var entry in entries {
      if entry.problem != nil {
        kept.append(entry)
        continue
      }
      let transcripts = Transcripts.load(entry)
      let fences = transcripts.indices.filter { fence in
        transcripts[fence].hidesHeading
          || byContent.allSatisfy { $0.allows(transcripts[fence]) }
      }
      isCut = isCut || fences.count < transcripts.count
      if byContent.contains(where: { $0.subject == .tag }) {
        let wanted = byContent.filter { $0.subject == .tag && !$0.isNegated }.map(\.text)
        notes += transcripts.flatMap { transcript in
          let slips = transcript.slipsOfTags
          let lines = Set(slips.map(\.line))
          return slips.map { NearMiss.note(ofTags: $0.text, in: entry.path, line: $0.line) }
            + wanted.flatMap { tag in
              transcript.nearMisses(ofTag: tag).filter { !lines.contains($0.line) }.map {
                NearMiss.note(ofTag: tag, $0.text, in: entry.path, line: $0.line)
              }
            }
        }
      }
      try check()
      let page = transcripts.count > 1 ? FNV1a.hash(transcripts[0].bytes) : nil
      entry.choose(Set(fences), ofPage: page)
      // A page also stays if it has fences that are named as not played: their names and tags are unknown.
      let isKept = !fences.isEmpty || Transcripts.fences(entry)?.unplayed.isEmpty == false
      if isKept { kept.append(entry) }
    }
    entries = kept
    return isCut
  }

  fileprivate mutating func keepFailed(
    _ history: TestHistory,
    _ naming: PathKey
  ) throws(RunPlan.Refusal) {
    guard !history.failed.isEmpty else {
      throw RunPlan.Refusal(
        problems: ["no transcript is known to have failed"],
        hint: "'--failed' replays what failed in an earlier run that was started in this folder"
      )
    }
    let records = history.records(of: naming.keys(entries.map(\.path)))
    entries = zip(entries, records).filter { $0.isMissing || $1?.hasFailed == true }.map(\.0)
    guard entries.isEmpty else { return }
    throw RunPlan.Refusal(
      problems: ["none of these transcripts failed when it was last replayed"],
      hint: "without '--failed' all of them are replayed"
    )
  }
}

extension String {
  /// The text with its non-ASCII characters as code point numbers.
  fileprivate var codePoints: String {
    unicodeScalars.map { $0.isASCII ? String($0) : "\\u{" + String($0.value, radix: 16) + "}" }
      .joined()
  }
}
