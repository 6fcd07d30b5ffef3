#if canImport(Testing)
import Harness
import Testing
import LibC

/// Something that is wrong with a transcript, as Swift Testing tells it.
struct TranscriptIssue {
  let text: String
  let location: SourceLocation

  /// One for each failure, in the order of the file.
  static func issues(of mismatch: TranscriptMismatch) -> [TranscriptIssue] {
    mismatch.failures.map { failure in
      TranscriptIssue(
        text: mismatch.text(of: failure),
        location: location(failure.path, line: max(failure.line, 1))
      )
    }
  }

  /// The console shows the last part of the identifier, Xcode opens the path.
  static func location(_ path: String, line: Int) -> SourceLocation {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return SourceLocation(
      fileID: "Transcripts/" + name,
      filePath: absolute(path),
      line: line,
      column: 1
    )
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
#endif
