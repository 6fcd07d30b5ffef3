import LineEditing
import Rehearsal

/// The shell: reads commands until the input or the session ends.
struct Shell {
  private let recordingPath: String?

  init(recordingTo path: String?) {
    recordingPath = path
  }

  func run() -> ExitStatus { .success }
}
