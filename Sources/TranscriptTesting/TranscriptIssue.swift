#if canImport(Testing)
import Harness
import Testing
import LibC

/// An issue of a transcript for Swift Testing.
struct TranscriptIssue {
  let text: String
  let location: SourceLocation

  /// Returns an issue for each failure, in the order of the file.
  static func issues(of mismatch: TranscriptMismatch) -> [TranscriptIssue] {
    mismatch.failures.map { failure in
      TranscriptIssue(
        text: mismatch.text(of: failure),
        location: location(failure.path, line: max(failure.line, 1))
      )
    }
  }

  /// Returns a location. The console shows the last part of `fileID`, and Xcode opens `filePath`.
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
