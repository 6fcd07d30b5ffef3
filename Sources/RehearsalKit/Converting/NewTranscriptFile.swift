import LibC
import Rehearsal

/// A transcript file to create: its path, and the refusal to replace an existing file.
struct NewTranscriptFile {
  let path: String

  /// Creates the path of a file from its name in a folder; nil is the usual folder.
  init(_ name: String, in folder: String?) throws(ConversionFailure) {
    let folder = folder ?? UsualFolders.present.first(where: Folder.isFolder) ?? "transcripts"
    var name = name
    if name.hasPrefix(folder + "/") { name.removeFirst(folder.count + 1) }
    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
    guard Fixtures.staysInside(name), !name.unicodeScalars.contains(where: isControl) else {
      throw ConversionFailure(
        "'\(name)' is not a valid file name in '\(folder)'",
        hint:
          "separate the words of a name by slashes, as in 'login/slow-answer'; --in sets the folder"
      )
    }
    guard !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else {
      throw ConversionFailure(
        "'\(name)' would not be replayed: files and folders with a leading dot are ignored",
        hint: "remove the dot"
      )
    }
    try self.init(path: folder + "/" + name + (name.hasSuffix(".transcript") ? "" : ".transcript"))
  }

  /// Creates a file at a path.
  init(path: String) throws(ConversionFailure) {
    self.path = path
    guard path.hasSuffix(".transcript") else {
      throw ConversionFailure(
        "'\(path)' does not end in '.transcript'",
        hint: "'\(ThisProgram.current.name) test' replays only files that end in '.transcript'"
      )
    }
    var status = stat()
    guard lstat(path, &status) != 0 else { throw Self.isThere(path) }
  }

  private static func isThere(_ path: String) -> ConversionFailure {
    ConversionFailure("'\(path)' already exists", hint: "choose another name")
  }

  /// Writes the file, and creates its folders. On failure, the created folders are removed. A file that was created
  /// meanwhile is not replaced.
  func write(_ bytes: [UInt8]) throws(ConversionFailure) {
    var folders: [String] = []
    do throws(FileProblem) {
      folders = try Folder.makeAll(above: path)
      try AtomicFile.create(bytes, at: path)
    } catch {
      Folder.removeEmpty(folders)
      throw error == .exists ? Self.isThere(path) : ConversionFailure(writing: path, error)
    }
  }

  /// Replaces the file if it still has the old bytes.
  func write(_ bytes: [UInt8], replacing old: [UInt8]) throws(ConversionFailure) {
    do throws(FileProblem) {
      try AtomicFile.write(bytes, to: path, replacing: old)
    } catch {
      throw ConversionFailure(writing: path, error)
    }
  }
}
