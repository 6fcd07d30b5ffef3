import Harness
import Rehearsal
import RehearsalBase

/// Counterexamples that are saved as transcripts.
struct SavedTranscripts {
  /// A line for each file, and for each problem.
  private(set) var text = ""
  /// Whether all were saved.
  private(set) var areComplete = true
  private static let mostFiles = 1_000

  /// Saves transcripts in a folder.
  init(_ transcripts: [RenderedExploration.Transcript], in folder: String) {
    for transcript in transcripts { save(transcript, folder) }
  }

  /// Saves a transcript under a name that is free, unless the same transcript is there already.
  private mutating func save(_ transcript: RenderedExploration.Transcript, _ folder: String) {
    let name = folder + "/" + transcript.name
    for number in 1...Self.mostFiles {
      let path = name + (number == 1 ? "" : "-\(number)") + ".transcript"
      if let old = try? FileBytes.read(path) {
        guard old == Array(transcript.text.utf8) else { continue }
        text += "kept already: \(path.printable(atMost: 200))\n"
        return
      }
      do throws(ConversionFailure) {
        try NewTranscriptFile(path: path).write(Array(transcript.text.utf8))
        text += "kept: \(path.printable(atMost: 200))\n"
        for file in transcript.filesElsewhere {
          let name = String(file.trimmingPrefix("./")).printable(atMost: 200)
          text += "note: it reads '\(name)', which it does not find from there\n"
        }
      } catch {
        text += error.text + "\n"
        areComplete = false
      }
      return
    }
    text += "error: there are \(Self.mostFiles) files like '\(name.printable(atMost: 200))'\n"
    areComplete = false
  }
}
