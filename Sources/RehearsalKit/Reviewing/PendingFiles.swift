import ArgumentParser
import Harness
import Script

/// The requested pending results, as read from disk.
struct PendingFiles {
  private(set) var files: [PendingFile] = []
  /// The pending results that cannot be reviewed, with the reason.
  private(set) var problems: [(entry: PendingSelection.Entry, problem: PendingProblem)] = []

  init(_ entries: [PendingSelection.Entry]) {
    for entry in entries {
      do {
        files.append(try PendingFile(path: entry.path, place: entry.place))
      } catch {
        problems.append((entry, error))
      }
    }
  }
}

/// A printer for errors about files, as text or JSON.
struct PendingComplaints {
  let json: Bool
  let place: PendingPlace

  func say(_ path: String, _ problem: PendingProblem) {
    let hint = problem.hint(path, in: place)
    say("\(FailureText.quoted(path)): \(problem.sentence)", hint: hint)
  }

  func say(_ problem: String, hint: String? = nil) {
    if json { return StandardStreams.write(JSONLine.error(problem, hint: hint).text) }
    StandardStreams.complain("error: \(problem)" + (hint.map { "\nhint: \($0)" } ?? ""))
  }

  /// Prints that nothing is pending.
  func sayNothingIsPending() {
    let isGone = place.folder.map { Folder.realPath($0) == nil } == true
    let folder = place.folder.map(FailureText.quoted) ?? ""
    let name = ThisProgram.current.name
    StandardStreams.write(
      "nothing is pending\(isGone ? ": there is no folder \(folder)" : "")\nnote: this does not say that transcripts pass; '\(name) test' does\n"
    )
  }
}
