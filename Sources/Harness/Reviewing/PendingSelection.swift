/// The selected pending results, in the order of their files.
package struct PendingSelection {
  /// A file with a pending result, whole or in part.
  package struct Entry: Sendable, Equatable {
    /// The file that the pending result belongs to.
    package let path: String
    /// The path of the pending result.
    package let place: String
    /// The named lines; empty for the whole file.
    package fileprivate(set) var lines: [Int] = []
    /// Whether the whole file was selected.
    package fileprivate(set) var isWhole = false
  }

  /// An argument that matches no pending result.
  package struct Missing: Sendable, Equatable {
    /// The argument as it was given.
    package let argument: String
    package let reason: String

    /// The reason if the file exists.
    package static let nothingPending = "nothing is pending here"
  }

  package private(set) var entries: [Entry] = []
  package private(set) var missing: [Missing] = []
  /// Folders below the selected ones that cannot be read and may contain pending results.
  package private(set) var unreadable: [(path: String, problem: FileProblem)] = []

  private let place: PendingPlace

  /// Finds pending results.
  ///
  /// - Parameters:
  ///   - arguments: files, folders with all their subfolders, and files with a line, `PATH:LINE`. A file with
  ///     that exact name has priority.
  ///   - place: the location of pending results.
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

  /// Returns why an argument matches nothing.
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

  /// Adds a file, a pending result, or a folder; false if nothing is pending there.
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
    let trees = place.trees(of: path).filter(FileBytes.exists)
    guard !trees.isEmpty else { return Folder.isFolder(path) }
    for tree in trees { search(tree) }
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
    /// The parent folders through which the search reached it.
    var above: Set<Folder.Identity> = []
  }

  /// Adds the pending results of a folder and its subfolders, except folders whose names begin with a dot. A loop,
  /// because deep folders would overflow the stack.
  private mutating func search(_ root: String) {
    var waiting = [Found(path: root, isFolder: Folder.isFolder(root))]
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
      // If it was named, this is a mistake. Otherwise the remaining results can still be decided.
      if folder.above.isEmpty {
        missing.append(Missing(argument: folder.path, reason: error.sentence))
      } else {
        unreadable.append((folder.path, error))
      }
      return []
    }
    let isBare = folder.path == "." && place.folder == nil
    let start = isBare ? "" : folder.path == "/" ? "/" : folder.path + "/"
    return names.filter(PendingPlace.mayHold)
      .map { name in
        let isFolder = name.hasSuffix("/")
        let path = start + (isFolder ? String(name.dropLast()) : name)
        return Found(path: path, isFolder: isFolder, above: above)
      }
  }

  /// Whether a file is a transcript by its name. A damaged pending result of a transcript must not be ignored.
  static func isOfTranscripts(_ file: String) -> Bool {
    file.hasSuffix(".transcript") || Transcripts.isMarkdown(file)
  }

  /// Whether a file begins like a pending result. Other programs may use the same suffix.
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

  /// Splits `PATH:LINE`.
  private static func split(_ argument: String) -> (path: String, line: Int)? {
    guard let colon = argument.lastIndex(of: ":"), colon > argument.startIndex,
      let line = Int(argument[argument.index(after: colon)...]), line > 0
    else { return nil }
    return (String(argument[..<colon]), line)
  }
}
