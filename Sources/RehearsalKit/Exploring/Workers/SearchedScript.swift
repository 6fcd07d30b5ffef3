import Exploring
import Harness
import Rehearsal

/// What it takes to make a script in any worker; this process itself performs nothing.
struct SearchedScript {
  let file: Playable
  let scenes: [Scene]
  /// What is not judged.
  let allowed: Set<Invariant>

  var commands: [String] { ExploredScript.commands(of: file) }

  /// The commands of a file.
  ///
  /// - Throws: where it cannot be read, or holds several transcripts.
  static func playable(_ file: String) throws(HarFailure) -> Playable {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try FileBytes.read(file)
    } catch {
      throw HarFailure("cannot read '\(file)': \(error.sentence)", hint: nil)
    }
    guard let playable = Playable(path: file, bytes: bytes) else {
      throw HarFailure(
        "'\(file)' does not hold just one transcript",
        hint: "write the one that is meant into a file of its own"
      )
    }
    return playable
  }

  /// The script, performed once.
  ///
  /// - Throws: `Refusal` where it cannot be explored.
  func make(_ watch: ExploredScript.Watch) throws(ExploredScript.Refusal) -> ExploredScript {
    try ExploredScript(file, scenes: scenes, allowing: allowed, watch: watch)
  }
}
