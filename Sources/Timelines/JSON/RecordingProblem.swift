import RehearsalBase

/// Why some text is no recording.
public enum RecordingProblem: Error, Equatable {
  /// It is no JSON, for the reason given; the line counts from 1.
  case notJSON(String, line: Int)
  /// It is JSON, but does not say that it is a recording.
  case notARecording
  /// A newer program wrote it.
  case newerVersion(Int)
  /// What stands at the path is not what is expected there.
  case expected(String, path: String)

  /// The problem in words, lower case, without a full stop.
  public var sentence: String {
    switch self {
    case .notJSON(let reason, let line): "line \(line): \(reason)"
    case .notARecording: "it is no recording: it lacks \"format\": \"\(Recording.formatName)\""
    case .newerVersion(let version):
      "it has version \(version), and this program knows up to \(Recording.formatVersion)"
    case .expected(let what, let path): "'\(path)' should be \(what)"
    }
  }

  init(_ mismatch: JSONMismatch) {
    switch mismatch.reason {
    case .missing: self = .expected("there", path: mismatch.path)
    case .notThis(let what), .refused(let what): self = .expected(what, path: mismatch.path)
    }
  }
}
