import LibC
import RehearsalBase

/// The files that a run is about, in the order of their bytes, each once.
package struct TranscriptSelection {
  struct Entry: Equatable {
    let path: String
    /// Whether somebody asked for this very file, rather than for its folder.
    let isNamed: Bool
    /// Apart, since few entries have any of it, and a run may have very many.
    private var rest: Rest?

    private indirect enum Rest: Equatable {
      case of(problem: FileProblem?, chosen: Chosen?, bytes: [UInt8]?)
    }

    private struct Chosen: Equatable {
      var fences: Set<Int>
      var page: UInt64?
    }

    init(path: String, isNamed: Bool, problem: FileProblem? = nil, bytes: [UInt8]? = nil) {
      self.path = path
      self.isNamed = isNamed
      set(problem: problem, chosen: nil, bytes: bytes)
    }

    private mutating func set(problem: FileProblem?, chosen: Chosen?, bytes: [UInt8]?) {
      let isEmpty = problem == nil && chosen == nil && bytes == nil
      rest = isEmpty ? nil : .of(problem: problem, chosen: chosen, bytes: bytes)
    }

    var problem: FileProblem? {
      if case .of(let problem, _, _) = rest { problem } else { nil }
    }

    private var chosen: Chosen? { if case .of(_, let chosen, _) = rest { chosen } else { nil } }

    /// The fences, counting from 0, that are played; nil for all.
    var fences: Set<Int>? { chosen?.fences }

    /// Selects some fences only.
    ///
    /// - Parameters:
    ///   - fences: the numbers of the fences, from 0.
    ///   - page: the hash of the page that has these numbers; nil if it has at most one fence.
    mutating func choose(_ fences: Set<Int>, ofPage page: UInt64?) {
      set(problem: problem, chosen: Chosen(fences: fences, page: page), bytes: bytes)
    }

    /// Whether the page has changed since the selection, so that other fences may have been played.
    var hasOtherFences: Bool {
      guard let page = chosen?.page else { return false }
      return (try? FileBytes.read(path)).map(FNV1a.hash) != page
    }

    /// The content, where it does not come from the disk.
    var bytes: [UInt8]? {
      if case .of(_, _, let bytes) = rest { bytes } else { nil }
    }

    /// Whether it was asked for, and is not there.
    var isMissing: Bool { isNamed && problem?.isAbsence == true }

    /// Whether a filter allows it by its path. A folder that cannot be searched may hold what a filter looks for.
    func isAllowed(by filter: TranscriptFilter) -> Bool {
      let isFolder =
        problem != nil && !path.hasSuffix(".transcript") && !Transcripts.isMarkdown(path)
      return isMissing || isFolder && !filter.isNegated || filter.allows(path: path)
    }
  }

  private struct Identity: Equatable {
    let device: UInt64
    let file: UInt64
  }

  var entries: [Entry] = []
  /// Files of searched folders that are no transcripts, for want of a letter in their names; in no order.
  private(set) var nearMisses: [String] = []
  /// Files of searched folders that are pages of Markdown by another ending than `.md`; in no order.
  private(set) var pages: [String] = []

  /// Files of searched folders, and of folders right in them, that only a dot before a name keeps from being played; in no
  /// order.
  private(set) var hiddenFiles: [String] = []

  /// Folders that were asked for and hold no transcript, and how many files were found in them.
  private var emptyFolders: (paths: [String], fileCount: Int) = ([], 0)
  private var hasOnlyEmptyFolders = false
  /// Links of searched folders that lead nowhere, and so may have been folders of transcripts; in no order.
  private(set) var danglingLinks: [String] = []

  /// Folders that were searched, in no order.
  private(set) var folders: [String] = []

  /// Finds files ending in `.transcript` and `.md`.
  ///
  /// Folders are searched through all their levels, except those whose names begin with a dot, of which only the files
  /// right in them are remembered;
  /// symbolic links are followed, a circle of them is a problem of its own.
  ///
  /// - Parameter paths: files, whatever their names, and folders.
  package init(paths: [String]) {
    for path in PathSpelling.unified(paths) { add(path) }
    hasOnlyEmptyFolders = entries.count == emptyFolders.fileCount
    sort()
  }

  /// Files and folders that were found and cannot be read.
  package var unreadable: [(path: String, problem: FileProblem)] {
    entries.compactMap { entry in
      entry.isNamed ? nil : entry.problem.map { (entry.path, $0) }
    }
  }

  /// Adds the folders that were asked for and hold no transcript, as files that cannot be read; nothing if they are all that
  /// was asked for.
  ///
  /// - Returns: whether there are any.
  mutating func addEmptyFolders() -> Bool {
    guard !hasOnlyEmptyFolders, !emptyFolders.paths.isEmpty else { return false }
    entries += emptyFolders.paths.map { Entry(path: $0, isNamed: true, problem: .noTranscript) }
    sort()
    return true
  }

  /// Sorts by path, and keeps one entry of each file: a named one, where there is one.
  private mutating func sort() {
    // All paths in one piece of memory: comparing two of them is what a large folder takes longest for.
    var bytes: [UInt8] = []
    var starts: [Int] = []
    bytes.reserveCapacity(entries.reduce(0) { $0 + $1.path.utf8.count + 1 })
    starts.reserveCapacity(entries.count)
    for entry in entries {
      starts.append(bytes.count)
      bytes += entry.path.utf8
      bytes.append(0)
    }
    let entries = entries
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      let paths = starts.map { base + $0 }
      let shared = Self.sharedCount(of: paths)
      var places = paths.indices.map { (head: Self.head(of: paths[$0] + shared), index: $0) }
      places.sort { first, second in
        if first.head != second.head { return first.head < second.head }
        let order = strcmp(paths[first.index], paths[second.index])
        return order == 0
          ? entries[first.index].isNamed && !entries[second.index].isNamed : order < 0
      }
      var last: UnsafePointer<CChar>?
      places.removeAll { place in
        defer { last = paths[place.index] }
        return last.map { strcmp($0, paths[place.index]) == 0 } ?? false
      }
      self.entries = places.map { entries[$0.index] }
    }
  }

  /// How many bytes all paths begin with.
  private static func sharedCount(of paths: [UnsafePointer<CChar>]) -> Int {
    guard let first = paths.first else { return 0 }
    return paths.reduce(strlen(first)) { shared, path in
      (0..<shared).first { path[$0] != first[$0] } ?? shared
    }
  }

  /// The next eight bytes as a number that is greater where they come later; zeros behind the end.
  private static func head(of path: UnsafePointer<CChar>) -> UInt64 {
    var head: UInt64 = 0
    var place = path
    for shift in stride(from: 56, through: 0, by: -8) where place.pointee != 0 {
      head |= UInt64(UInt8(bitPattern: place.pointee)) << UInt64(shift)
      place += 1
    }
    return head
  }

  private mutating func add(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let problem = FileProblem(errno: errno)
      let isDangling = problem.isAbsence && Folder.isLink(path)
      entries.append(
        Entry(path: path, isNamed: true, problem: isDangling ? .danglingLink : problem)
      )
      return
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      let (folder, count) = (Self.trimmed(path), entries.count)
      search(FolderVisit(path: folder, identity: Self.identity(status)))
      if !Self.holdTranscripts(entries[count...]) {
        emptyFolders.paths.append(folder)
        emptyFolders.fileCount += entries.count - count
      }
    } else {
      entries.append(Entry(path: path, isNamed: true))
    }
  }

  /// Whether any of the files of a folder is a transcript, a page with fences, or cannot be read.
  private static func holdTranscripts(_ entries: ArraySlice<Entry>) -> Bool {
    if entries.contains(where: { $0.problem != nil || !Transcripts.isMarkdown($0.path) }) {
      return true
    }
    return entries.contains { entry in
      guard let fences = Transcripts.fences(entry) else { return true }
      return !fences.transcripts.isEmpty || !fences.others.isEmpty
    }
  }

  private static func trimmed(_ path: String) -> String {
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
    return String(path)
  }

  private static func identity(_ status: stat) -> Identity {
    Identity(device: UInt64(status.st_dev), file: UInt64(status.st_ino))
  }

  /// A folder to search.
  private struct FolderVisit {
    let path: String
    let identity: Identity
    /// The folders through which the search came to it.
    var above: [Identity] = []
  }

  /// Adds the content of a folder and of all folders below it. A loop, because deep folders would overflow the stack.
  private mutating func search(_ root: FolderVisit) {
    var waiting = [root]
    var likeTranscripts: [String] = []
    while let visit = waiting.popLast() {
      let isRoot = visit.above.isEmpty
      if !isRoot, visit.path.hasSuffix(".transcript") { likeTranscripts.append(visit.path) }
      waiting += list(visit)
    }
    // From the inside out, because an entry of an inner folder is one of the outer ones.
    for folder in likeTranscripts.reversed()
    where !entries.contains(where: { $0.path.hasPrefix(folder + "/") || $0.path == folder }) {
      entries.append(Entry(path: folder, isNamed: false, problem: .noTranscript))
    }
  }

  /// Adds the files of a folder, and returns the folders in it that are to be searched.
  private mutating func list(_ visit: FolderVisit) -> [FolderVisit] {
    let folder = visit.path
    folders.append(folder)
    guard let stream = opendir(folder) else {
      entries.append(Entry(path: folder, isNamed: false, problem: FileProblem(errno: errno)))
      return []
    }
    let (parent, slash) = folder == "." ? ("", "") : (folder, folder == "/" ? "" : "/")
    var found: [(path: String, kind: Int32, isTranscript: Bool)] = []
    var unnamed: [String] = []
    var hiddenFolders: [String] = []
    while let item = readdir(stream) {
      let kind = Int32(item.pointee.d_type)
      Self.withName(of: item) { name in
        let isTranscript = Self.hasSuffix(name, ".transcript") || Self.hasSuffix(name, ".md")
        if name.first == UInt8(ascii: ".") {
          guard kind == Self.folder || isTranscript, !Self.isDots(name),
            !NearMiss.isCompanion(name),
            let text = String(validating: name, as: UTF8.self)
          else { return }
          let path = String(joining: parent, slash, text)
          if kind == Self.folder { hiddenFolders.append(path) } else { hiddenFiles.append(path) }
          return
        }
        if kind == Self.regular, !isTranscript, !NearMiss.isFile(name), !NearMiss.isPage(name) {
          return
        }
        guard let text = String(validating: name, as: UTF8.self) else {
          return unnamed.append(String(joining: parent, slash, Self.spelled(name)))
        }
        found.append((String(joining: parent, slash, text), kind, isTranscript))
      }
    }
    closedir(stream)
    for path in hiddenFolders { rememberFiles(ofHidden: path) }
    for path in unnamed {
      entries.append(Entry(path: path, isNamed: false, problem: .nameNotUTF8))
    }
    var below: [FolderVisit] = []
    let above = visit.above + [visit.identity]
    for item in found {
      if item.kind == Self.regular {
        add(item.path, item.isTranscript)
      } else if let folder = follow(item.path, item.isTranscript, above) {
        below.append(folder)
      }
    }
    return below
  }

  /// Remembers what would be played of a folder whose name begins with a dot. Folders in it are not searched: those of
  /// version control and of builds are large.
  private mutating func rememberFiles(ofHidden folder: String) {
    for suffix in [".transcript", ".md"] {
      for name in Folder.names(of: folder, endingIn: suffix) where !name.hasPrefix(".") {
        hiddenFiles.append(String(joining: folder, "/", name))
      }
    }
  }

  /// Adds an item that is no plain file by its listing: a link, or an item of a file system that lists no kinds.
  ///
  /// - Returns: the folder to search; nil if it is none, or a circle of links.
  private mutating func follow(
    _ path: String,
    _ isTranscript: Bool,
    _ above: [Identity]
  ) -> FolderVisit? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let problem = FileProblem(errno: errno)
      if isTranscript || !problem.isAbsence {
        // Where a link or a folder cannot be followed there might be anything.
        entries.append(Entry(path: path, isNamed: false, problem: problem))
      } else if Folder.isLink(path) {
        danglingLinks.append(path)
      }
      return nil
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      if !isTranscript { rememberTarget(ofLink: path) }
      add(path, isTranscript)
      return nil
    }
    let identity = Self.identity(status)
    guard above.contains(identity) else {
      return FolderVisit(path: path, identity: identity, above: above)
    }
    entries.append(Entry(path: path, isNamed: false, problem: .symlinkLoop))
    return nil
  }

  /// Adds a file that was found, or remembers it where its name is nearly that of a transcript.
  private mutating func add(_ path: String, _ isTranscript: Bool) {
    if isTranscript {
      entries.append(Entry(path: path, isNamed: false))
    } else if isNamed(path, NearMiss.isFile) {
      nearMisses.append(path)
    } else if isNamed(path, NearMiss.isPage) {
      pages.append(path)
    }
  }

  /// Remembers a link to a transcript or a page if the name of the link does not say so.
  private mutating func rememberTarget(ofLink path: String) {
    guard Folder.isLink(path), let target = Folder.realPath(path) else { return }
    if target.hasSuffix(".transcript") { nearMisses.append(path) }
    if Transcripts.isMarkdown(target) { pages.append(path) }
  }

  private func isNamed(_ path: String, _ test: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    var name = path[...]
    if let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) {
      name = name[name.utf8.index(after: slash)...]
    }
    return name.utf8.withContiguousStorageIfAvailable(test) ?? false
  }

  private static let regular = Int32(DT_REG)
  private static let folder = Int32(DT_DIR)

  /// Whether a name stands for the folder itself or for the one above.
  private static func isDots(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count <= 2 && name.last == UInt8(ascii: ".")
  }

  /// The name of what a folder holds, as its bytes.
  private static func withName(
    of item: UnsafeMutablePointer<dirent>,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    withUnsafeBytes(of: &item.pointee.d_name) { bytes in
      let name = bytes.bindMemory(to: UInt8.self)
      body(UnsafeBufferPointer(rebasing: name.prefix { $0 != 0 }))
    }
  }

  /// A name that is no text. With its bad bytes replaced it might be that of another file.
  private static func spelled(_ name: UnsafeBufferPointer<UInt8>) -> String {
    name.reduce(into: "") { text, byte in
      text += byte < 0x80 ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16)
    }
  }

  private static func hasSuffix(
    _ name: UnsafeBufferPointer<UInt8>,
    _ suffix: StaticString
  ) -> Bool {
    let count = suffix.utf8CodeUnitCount
    guard name.count > count, let start = name.baseAddress else { return false }
    return memcmp(start + name.count - count, suffix.utf8Start, count) == 0
  }
}
