import RehearsalBase
import Script

/// From where a session sees the paths that its commands name.
extension Session {
  /// A file that a command names, seen from the script that the command stands in.
  func path(of file: Located<String>) -> String {
    files.path(file.value, from: sourcing.last?.path)
  }

  /// The folder that a file lies in, by one name however the path is spelled.
  func folder(of path: String) -> String { files.identity(of: Folder.path(".", from: path)) }

  /// Says that a transcript in another folder will look there for what was read here.
  func noteReadings(_ readings: [FileMemory.Reading], in transcript: String, at folder: String) {
    let isSeenFromHere = { (reading: FileMemory.Reading) in
      !reading.path.hasPrefix("/") && (try? reading.content.get()) != nil
    }
    guard readings.contains(where: isSeenFromHere), folder != files.identity(of: ".") else {
      return
    }
    say("note: a replay of \(transcript.escapingControls) looks for files beside it, not here")
  }
}
