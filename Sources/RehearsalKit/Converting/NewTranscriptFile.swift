import LibC
import Rehearsal

/// A transcript that is not there yet.
struct NewTranscriptFile {
  let path: String

  /// Finds the place of a file by its name below a folder, the usual one by default.
  init(_ name: String, in folder: String?) throws(ConversionFailure) {
    let folder = folder ?? UsualFolders.present.first(where: Folder.isFolder) ?? "transcripts"
    var name = name
    if name.hasPrefix(folder + "/") { name.removeFirst(folder.count + 1) }
    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
    guard Fixtures.staysInside(name), !name.unicodeScalars.contains(where: isControl) else {
      throw ConversionFailure(
        "'\(name)' is no name for a file in '\(folder)'",
        hint:
          "a name is words with slashes between, as in 'login/slow-answer'; --in names the folder"
      )
    }
    guard !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else {
      throw ConversionFailure(
        "'\(name)' would not be played: what begins with a dot is not looked at",
        hint: "leave the dot out"
      )
    }
    try self.init(path: folder + "/" + name + (name.hasSuffix(".transcript") ? "" : ".transcript"))
  }

  /// A file at this very place.
  init(path: String) throws(ConversionFailure) {
    self.path = path
    guard path.hasSuffix(".transcript") else {
      throw ConversionFailure(
        "'\(path)' does not end in '.transcript'",
        hint: "'\(ThisProgram.current.name) test' looks for files that do"
      )
    }
    var status = stat()
    guard lstat(path, &status) != 0 else { throw Self.isThere(path) }
  }

  private static func isThere(_ path: String) -> ConversionFailure {
    ConversionFailure("'\(path)' is there already", hint: "choose another name")
  }

  /// Writes it, and makes the folders that it lies in; where that fails, none of them is left. What somebody has
  /// put there meanwhile stays.
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

  /// Writes it anew, as long as it holds what was written first.
  func write(_ bytes: [UInt8], replacing old: [UInt8]) throws(ConversionFailure) {
    do throws(FileProblem) {
      try AtomicFile.write(bytes, to: path, replacing: old)
    } catch {
      throw ConversionFailure(writing: path, error)
    }
  }
}
