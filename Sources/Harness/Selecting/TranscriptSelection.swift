import LibC
import RehearsalBase

/// The files of a run: found in folders and by links, sorted by the bytes of their paths, without duplicates.
package struct TranscriptSelection {
  struct Entry: Equatable {
    let path: String
    /// Whether the user named this file and not its folder.
    let isNamed: Bool
    /// Rare properties, stored separately because a run may have very many entries.
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

    /// The indexes, from 0, of the fences to play; nil for all.
    var fences: Set<Int>? { chosen?.fences }

    /// Selects some of the fences.
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

    /// The content, if it is not on the disk.
    var bytes: [UInt8]? {
      if case .of(_, _, let bytes) = rest { bytes } else { nil }
    }

    /// Whether the user named it and it does not exist.
    var isMissing: Bool { isNamed && problem?.isAbsence == true }

    /// Whether its path passes a filter. A folder that cannot be read passes, because its files might.
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
  /// Files of searched folders whose names are almost those of transcripts; unsorted.
  private(set) var nearMisses: [String] = []
  /// Markdown pages in searched folders with another extension than `.md`; unsorted.
  private(set) var pages: [String] = []

  /// Files of searched folders, and of folders directly in them, that are not played only because of a dot in their path;
  /// unsorted.
  private(set) var hiddenFiles: [String] = []

  /// Named folders without a transcript, and the number of files found in them.
  private var emptyFolders: (paths: [String], fileCount: Int) = ([], 0)
  private var hasOnlyEmptyFolders = false
  /// Links in searched folders without a target, which may have been folders of transcripts; unsorted.
  private(set) var danglingLinks: [String] = []

  /// The searched folders, unsorted.
  private(set) var folders: [String] = []

  /// Finds files that end in `.transcript` or `.md`.
  ///
  /// Folders are searched with all subfolders. Folders whose names begin with a dot are not searched; only the files
  /// directly in them are noted. Symbolic links are followed; a cycle of links is a problem.
  ///
  /// - Parameter paths: files with any name, and folders.
  package init(paths: [String]) {
    for path in PathSpelling.unified(paths) { add(path) }
    hasOnlyEmptyFolders = entries.count == emptyFolders.fileCount
    sort()
  }

  /// Found files and folders that cannot be read.
  package var unreadable: [(path: String, problem: FileProblem)] {
    entries.compactMap { entry in
      entry.isNamed ? nil : entry.problem.map { (entry.path, $0) }
    }
  }

  /// Adds the named folders without a transcript as files that cannot be read; nothing if the user named only such folders.
  ///
  /// - Returns: whether there are any.
  mutating func addEmptyFolders() -> Bool {
    guard !hasOnlyEmptyFolders, !emptyFolders.paths.isEmpty else { return false }
    entries += emptyFolders.paths.map { Entry(path: $0, isNamed: true, problem: .noTranscript) }
    sort()
    return true
  }

  /// Sorts by path and removes duplicates; a named entry replaces an unnamed one.
  private mutating func sort() {
    // All paths in one buffer, because comparing paths dominates the time for a large folder.
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

  /// Returns the number of bytes with which all paths begin.
  private static func sharedCount(of paths: [UnsafePointer<CChar>]) -> Int {
    guard let first = paths.first else { return 0 }
    return paths.reduce(strlen(first)) { shared, path in
      (0..<shared).first { path[$0] != first[$0] } ?? shared
    }
  }

  /// Returns the next eight bytes as a big-endian number, padded with zeros.
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

  /// Whether any of a folder's files is a transcript, a page with fences, or unreadable.
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
    /// The parent folders through which the search reached it.
    var above: [Identity] = []
  }

  /// Adds the content of a folder and its subfolders. A loop, because deep folders would overflow the stack.
  private mutating func search(_ root: FolderVisit) {
    var waiting = [root]
    var likeTranscripts: [String] = []
    while let visit = waiting.popLast() {
      let isRoot = visit.above.isEmpty
      if !isRoot, visit.path.hasSuffix(".transcript") { likeTranscripts.append(visit.path) }
      waiting += list(visit)
    }
    // Innermost first, because an entry of an inner folder is also one of the outer folders.
    for folder in likeTranscripts.reversed()
    where !entries.contains(where: { $0.path.hasPrefix(folder + "/") || $0.path == folder }) {
      entries.append(Entry(path: folder, isNamed: false, problem: .noTranscript))
    }
  }

  /// Adds the files of a folder, and returns its subfolders to search.
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

  /// Notes the transcripts directly in a folder whose name begins with a dot. Its subfolders are not searched, because
  /// those of version control and of builds are large.
  private mutating func rememberFiles(ofHidden folder: String) {
    for suffix in [".transcript", ".md"] {
      for name in Folder.names(of: folder, endingIn: suffix) where !name.hasPrefix(".") {
        hiddenFiles.append(String(joining: folder, "/", name))
      }
    }
  }

  /// Adds an item that is not listed as a regular file: a link, or an item of a file system that lists no types.
  ///
  /// - Returns: the folder to search; nil if it is no folder, or a cycle of links.
  private mutating func follow(
    _ path: String,
    _ isTranscript: Bool,
    _ above: [Identity]
  ) -> FolderVisit? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let problem = FileProblem(errno: errno)
      if isTranscript || !problem.isAbsence {
        // A link or a folder that cannot be followed might contain transcripts.
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

  /// Adds a found file, or notes it if its name is almost that of a transcript.
  private mutating func add(_ path: String, _ isTranscript: Bool) {
    if isTranscript {
      entries.append(Entry(path: path, isNamed: false))
    } else if isNamed(path, NearMiss.isFile) {
      nearMisses.append(path)
    } else if isNamed(path, NearMiss.isPage) {
      pages.append(path)
    }
  }

  /// Notes a link to a transcript or a page if its own name does not look like one.
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

  /// Whether a name is `.` or `..`.
  private static func isDots(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count <= 2 && name.last == UInt8(ascii: ".")
  }

  /// Passes the name of a folder's entry as bytes.
  private static func withName(
    of item: UnsafeMutablePointer<dirent>,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    withUnsafeBytes(of: &item.pointee.d_name) { bytes in
      let name = bytes.bindMemory(to: UInt8.self)
      body(UnsafeBufferPointer(rebasing: name.prefix { $0 != 0 }))
    }
  }

  /// Spells out a name that is not UTF-8. Replacement characters could make it equal to another name.
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
    guard name.count >= count, let start = name.baseAddress else { return false }
    return memcmp(start + name.count - count, suffix.utf8Start, count) == 0
  }
}
