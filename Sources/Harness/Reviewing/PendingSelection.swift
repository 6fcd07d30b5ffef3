/// The pending results that somebody asks for, in the order of their files.
package struct PendingSelection {
  /// A file with a pending result, whole or in part.
  package struct Entry: Sendable, Equatable {
    /// The file that the pending result is for.
    package let path: String
    /// Where it lies.
    package let place: String
    /// The lines that were named; none for the whole file.
    package fileprivate(set) var lines: [Int] = []
    /// Whether the whole file was asked for.
    package fileprivate(set) var isWhole = false
  }

  /// Something that was asked for and is not there.
  package struct Missing: Sendable, Equatable {
    /// As it was asked for.
    package let argument: String
    package let reason: String

    /// The reason where there is a file.
    package static let nothingPending = "nothing is pending here"
  }

  package private(set) var entries: [Entry] = []
  package private(set) var missing: [Missing] = []
  /// Folders below those that were asked for, in which something may be pending, and which cannot be read.
  package private(set) var unreadable: [(path: String, problem: FileProblem)] = []

  private let place: PendingPlace

  /// Finds pending results.
  ///
  /// - Parameters:
  ///   - arguments: files, folders with all that is below them, and files with a line, `PATH:LINE`. A file
  ///     whose own name ends so comes first.
  ///   - place: where pending results lie.
  package init(_ arguments: [String], in place: PendingPlace) {
    self.place = place
    for argument in arguments { add(argument) }
    entries.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private mutating func add(_ argument: String) {
    if addWhole(argument) { return }
    if let (path, line) = Self.split(argument), FileBytes.exists(place.path(for: path)) {
      return add(path, place.path(for: path), line: line)
    }
    missing.append(Missing(argument: argument, reason: reason(argument)))
  }

  /// Why nothing is found by a name.
  private func reason(_ argument: String) -> String {
    if FileBytes.exists(argument) || Self.split(argument).map({ FileBytes.exists($0.path) }) == true
    {
      return Missing.nothingPending
    }
    guard let colon = argument.lastIndex(of: ":"), FileBytes.exists(String(argument[..<colon]))
    else {
      return Self.absence(of: argument).sentence
    }
    let line = argument[argument.index(after: colon)...]
    if line == "0" { return "lines are counted from 1" }
    return "'\(FailureText.visible(String(line)))' is not the number of one line"
  }

  /// Adds a file, its pending result itself, or a folder; false where nothing is pending by that name.
  private mutating func addWhole(_ argument: String) -> Bool {
    let path =
      argument.count > 1 && argument.hasSuffix("/") ? String(argument.dropLast()) : argument
    let pending = place.path(for: path)
    if FileBytes.exists(pending), !Folder.isFolder(pending) {
      add(path, pending, line: nil)
      return true
    }
    if FileBytes.exists(path), !Folder.isFolder(path), let file = place.file(of: path) {
      add(file, path, line: nil)
      return true
    }
    guard Folder.isFolder(path) || place.folder != nil else { return false }
    let root = place.tree(of: path)
    guard Folder.isFolder(root) else { return Folder.isFolder(path) }
    search(root)
    return true
  }

  private mutating func add(_ path: String, _ pending: String, line: Int?) {
    var index = entries.firstIndex { $0.place.utf8.elementsEqual(pending.utf8) }
    if index == nil {
      entries.append(Entry(path: path, place: pending))
      index = entries.count - 1
    }
    guard let index else { return }
    if let line { entries[index].lines.append(line) } else { entries[index].isWhole = true }
  }

  /// A file or folder that the search has found.
  private struct Found {
    let path: String
    let isFolder: Bool
    /// The folders through which the search came to it.
    var above: Set<Folder.Identity> = []
  }

  /// Adds pending results in a folder and in those below it, except folders whose names begin with a dot. A loop, because
  /// deep folders would overflow the stack.
  private mutating func search(_ root: String) {
    var waiting = [Found(path: root, isFolder: true)]
    while let found = waiting.popLast() {
      if found.isFolder {
        waiting += list(found).reversed()
      } else if let file = place.file(of: found.path),
        Self.isOfTranscripts(file) || Self.isResult(found.path)
      {
        add(file, found.path, line: nil)
      }
    }
  }

  private mutating func list(_ folder: Found) -> [Found] {
    let names: [String]
    var above = folder.above
    do throws(FileProblem) {
      guard above.insert(try Folder.Identity(folder.path)).inserted else { return [] }
      names = try Folder.readableEntries(of: folder.path)
    } catch {
      // One that was named is a mistake; among others it does not keep the rest from being decided.
      if folder.above.isEmpty {
        missing.append(Missing(argument: folder.path, reason: error.sentence))
      } else {
        unreadable.append((folder.path, error))
      }
      return []
    }
    let isBare = folder.path == "." && place.folder == nil
    let start = isBare ? "" : folder.path == "/" ? "/" : folder.path + "/"
    return names.filter { !$0.hasPrefix(".") || $0.hasSuffix(PendingPlace.suffix) }
      .map { name in
        let isFolder = name.hasSuffix("/")
        let path = start + (isFolder ? String(name.dropLast()) : name)
        return Found(path: path, isFolder: isFolder, above: above)
      }
  }

  /// Whether it is a file of transcripts by its name: what is pending of one and damaged must not be passed over.
  static func isOfTranscripts(_ file: String) -> Bool {
    file.hasSuffix(".transcript") || Transcripts.isMarkdown(file)
  }

  /// Whether a file that was found begins like a pending result; others may use the name, too.
  private static func isResult(_ path: String) -> Bool {
    guard let bytes = try? FileBytes.readAny(path, limitInBytes: FileBytes.limitInBytes) else {
      return true
    }
    return PendingResult(bytes: bytes) != nil
  }

  private static func absence(of path: String) -> FileProblem {
    do throws(FileProblem) { _ = try Folder.Identity(path) } catch { return error }
    return .missing
  }

  /// `PATH:LINE` in its parts.
  private static func split(_ argument: String) -> (path: String, line: Int)? {
    guard let colon = argument.lastIndex(of: ":"), colon > argument.startIndex,
      let line = Int(argument[argument.index(after: colon)...]), line > 0
    else { return nil }
    return (String(argument[..<colon]), line)
  }
}
