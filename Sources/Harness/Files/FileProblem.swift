import LibC

/// Why a file or a folder cannot be used.
package enum FileProblem: Error, Sendable, Equatable {
  case missing
  /// A part of its path is a file, where a folder should be.
  case noFolder
  /// It may not be read.
  case notPermitted
  /// It may not be written.
  case notWritable
  case symlinkLoop
  /// A symbolic link to something that is not there.
  case danglingLink
  case folder
  case notAFile
  case notUTF8(line: Int)
  case nameNotUTF8
  case tooLarge(limitInBytes: Int)
  case diskFull
  case readOnly
  case exists
  case notEmpty
  case changed
  /// A folder that was asked for holds no transcript.
  case noTranscript
  case other(code: Int32)

  package init(errno code: Int32) {
    self =
      switch code {
      case ENOENT: .missing
      case ENOTDIR: .noFolder
      case EACCES, EPERM: .notPermitted
      case ELOOP: .symlinkLoop
      case EISDIR: .folder
      case EFBIG: .other(code: code)
      case ENOSPC, EDQUOT: .diskFull
      case EROFS: .readOnly
      default: .other(code: code)
      }
  }

  /// Whether nothing is there.
  package var isAbsence: Bool { [.missing, .noFolder, .danglingLink].contains(self) }

  /// Whether it is the place that takes nothing, whatever the file.
  package var placeTakesNothing: Bool {
    switch self {
    case .diskFull, .readOnly, .notWritable, .other(code: EFBIG), .other(code: EIO): true
    case .missing, .noFolder, .notPermitted, .symlinkLoop, .danglingLink, .folder, .notAFile,
      .notUTF8, .nameNotUTF8, .tooLarge, .exists, .notEmpty, .changed, .noTranscript, .other:
      false
    }
  }

  /// What is wrong, a fact about the file.
  package var sentence: String {
    switch self {
    case .missing: "there is no such file"
    case .noFolder: "a file stands where a folder should be"
    case .notPermitted, .notWritable: "permission denied"
    case .symlinkLoop: "the symbolic links lead round in a circle"
    case .danglingLink: "the symbolic link leads nowhere"
    case .folder: "this is a folder"
    case .notAFile: "this is no ordinary file"
    case .notUTF8(let line): "line \(line) is not UTF-8"
    case .nameNotUTF8: "its name is not UTF-8"
    case .tooLarge(let limit):
      "larger than " + (limit < 1 << 20 ? "\(limit >> 10) kB" : "\(limit >> 20) MB")
    case .diskFull: "no space left on the disk"
    case .readOnly: "the disk is read-only"
    case .exists: "it is there already"
    case .notEmpty: "it is there already, and not empty"
    case .noTranscript: "no transcript in this folder"
    case .changed: "it has changed since it was read"
    case .other(let code): Self.words(code)
    }
  }

  /// The system's own words, begun like those above.
  private static func words(_ code: Int32) -> String {
    let words = String(cString: strerror(code))
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
