import Harness
import Rehearsal
import RehearsalBase

/// Saves counterexamples as transcripts for `explore --save`, each under a free name.
extension RenderedExploration {
  private static let mostFiles = 1_000

  /// Saves the counterexamples as transcripts in a folder.
  ///
  /// - Returns: a line for each file and each problem, and whether all were saved.
  func saveTranscripts(in folder: String) -> (text: String, areComplete: Bool) {
    let results = transcripts.map { Self.save($0, folder) }
    return (results.map(\.text).joined(), results.allSatisfy(\.areComplete))
  }

  /// Saves a transcript under a free name, unless the same transcript already exists.
  private static func save(
    _ transcript: Transcript,
    _ folder: String
  ) -> (text: String, areComplete: Bool) {
    let name = folder + "/" + transcript.name
    let replay =
      transcript.passesInReplay
      ? "note: '\(ThisProgram.current.name) test' passes for this file, because a built-in check prints nothing; add an 'expect'\n"
      : ""
    for number in 1...mostFiles {
      let path = name + (number == 1 ? "" : "-\(number)") + ".transcript"
      let shownPath = path.printable(atMost: 200)
      if let old = try? FileBytes.read(path) {
        guard old == Array(transcript.text.utf8) else { continue }
        return ("already saved: \(shownPath)\n" + replay, true)
      }
      do throws(ConversionFailure) {
        try NewTranscriptFile(path: path).write(Array(transcript.text.utf8))
      } catch {
        return (error.text + "\n", false)
      }
      for table in transcript.tables {
        let path = String(path.dropLast("transcript".count)) + table.ending
        do throws(FileProblem) {
          try AtomicFile.write(Array(table.text.utf8), to: path)
        } catch {
          let text = "error: cannot write '\(path.printable(atMost: 200))': \(error.sentence)\n"
          return ("saved: \(shownPath)\n" + text, false)
        }
      }
      let notes = transcript.filesElsewhere.map { file in
        let name = String(file.trimmingPrefix("./")).printable(atMost: 200)
        return "note: it reads '\(name)', which is not in that folder\n"
      }
      let tables = transcript.tables.map { table in
        "saved: \((String(path.dropLast("transcript".count)) + table.ending).printable(atMost: 200))\n"
      }
      return ("saved: \(shownPath)\n" + tables.joined() + notes.joined() + replay, true)
    }
    return ("error: there are \(mostFiles) files like '\(name.printable(atMost: 200))'\n", false)
  }
}
