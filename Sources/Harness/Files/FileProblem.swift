import LibC

/// Why a file or a folder cannot be used, as text.
package enum FileProblem: Error, Sendable, Equatable {
  case missing
  /// A part of the path is a file, not a folder.
  case noFolder
  /// Reading is not permitted.
  case notPermitted
  /// Writing is not permitted.
  case notWritable
  case symlinkLoop
  /// A symbolic link whose target does not exist.
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
  /// A selected folder contains no transcript.
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

  /// Whether the file does not exist.
  package var isAbsence: Bool { [.missing, .noFolder, .danglingLink].contains(self) }

  /// Whether the location accepts no file at all, for example because the disk is full.
  package var placeTakesNothing: Bool {
    switch self {
    case .diskFull, .readOnly, .notWritable, .other(code: EFBIG), .other(code: EIO): true
    case .missing, .noFolder, .notPermitted, .symlinkLoop, .danglingLink, .folder, .notAFile,
      .notUTF8, .nameNotUTF8, .tooLarge, .exists, .notEmpty, .changed, .noTranscript, .other:
      false
    }
  }

  /// The problem as text.
  package var sentence: String {
    switch self {
    case .missing: "there is no such file"
    case .noFolder: "a part of the path is a file, not a folder"
    case .notPermitted, .notWritable: "permission denied"
    case .symlinkLoop: "the symbolic links form a cycle"
    case .danglingLink: "the symbolic link leads nowhere"
    case .folder: "this is a folder"
    case .notAFile: "this is not a regular file"
    case .notUTF8(let line): "line \(line) is not UTF-8"
    case .nameNotUTF8: "its name is not UTF-8"
    case .tooLarge(let limit):
      "larger than " + (limit < 1 << 20 ? "\(limit >> 10) kB" : "\(limit >> 20) MB")
    case .diskFull: "no space left on the disk"
    case .readOnly: "the disk is read-only"
    case .exists: "it already exists"
    case .notEmpty: "it already exists and is not empty"
    case .noTranscript: "no transcript in this folder"
    case .changed: "it has changed since it was read"
    case .other(let code): Self.words(code)
    }
  }

  /// The system's message, with a lower-case first letter.
  private static func words(_ code: Int32) -> String {
    let words = String(cString: strerror(code))
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
