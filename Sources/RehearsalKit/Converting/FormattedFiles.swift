import Converting
import LibC
import Rehearsal

/// The files to format: the named files, and the transcripts and scripts in the named folders; the error if a
/// folder or a page has nothing to format.
struct FormattedFiles {
  /// The paths, each once, in the order of their bytes.
  private(set) var paths: [String] = []
  /// Folders that cannot be read.
  private(set) var unreadable: [(path: String, problem: FileProblem)] = []
  /// Named folders that contain neither a transcript nor a script.
  private(set) var empty: [String] = []
  /// One line for each ignored file in the folders that may be intended as a transcript.
  private(set) var notes: [String] = []
  /// The folders that were searched, because links may form a cycle.
  private var seen: Set<Folder.Identity> = []

  init(_ named: [String]) throws(ConversionFailure) {
    for path in try named.isEmpty ? Self.usualFolders() : named {
      var status = stat()
      if path != "-", stat(path, &status) != 0 {
        throw ConversionFailure(reading: path, FileProblem(errno: errno))
      }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        paths.append(path)
        continue
      }
      let selection = TranscriptSelection(paths: [path])
      notes += selection.notes + selection.notesOfPages
      let (count, problems) = (paths.count, unreadable.count)
      search(path)
      unreadable += selection.unreadable.filter { one in
        !unreadable.contains { $0.path == one.path } && !paths.contains(one.path)
      }
      if paths.count == count, unreadable.count == problems { empty.append(path) }
    }
    guard !paths.isEmpty || !unreadable.isEmpty else {
      throw ConversionFailure(
        "no transcript and no script in \(named.joined(separator: ", "))",
        hint: notes.first
      )
    }
    // Paths are compared as bytes: two strings that are equal in Swift may name two files.
    paths = Set(paths.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static func usualFolders() throws(ConversionFailure) -> [String] {
    let folders = UsualFolders.present
    if !folders.isEmpty { return folders }
    throw ConversionFailure(
      "there is no folder 'transcripts' or 'Transcripts' here",
      hint: "'\(ThisProgram.current.name) format FILE' rewrites a file"
    )
  }

  /// Adds the files of a folder and of all folders below it. A loop, because deep folders would overflow the stack.
  private mutating func search(_ root: String) {
    var waiting = [root]
    while let folder = waiting.popLast() { waiting += list(folder).reversed() }
  }

  /// Adds the files of a folder, and returns the folders in it.
  private mutating func list(_ folder: String) -> [String] {
    let names: [String]
    do throws(FileProblem) {
      guard seen.insert(try Folder.Identity(folder)).inserted else { return [] }
      names = try Folder.readableEntries(of: folder)
    } catch {
      unreadable.append((folder, error))
      return []
    }
    var folders: [String] = []
    for name in names where !name.hasPrefix(".") {
      let path = folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if name.hasSuffix("/") {
        folders.append(String(path.dropLast()))
      } else if CanonicalText.Kind(ofFile: name) != nil {
        paths.append(path)
      }
    }
    return folders
  }
}
