import Exploring
import Harness
import Rehearsal

/// What it takes to make a script in any worker; this process itself performs nothing.
final class SearchedScript {
  enum Source {
    case file(Playable)
    /// What a session was told, and where its files are.
    case session(SessionSearch)
  }

  let source: Source
  let scenes: [Scene]
  /// What is not judged.
  let allowed: Set<BuiltInCheck>
  /// Whether the default schedule ends its process, so that workers that start from now on do not perform it first.
  var defaultCrashes = false

  init(source: Source, scenes: [Scene], allowed: Set<BuiltInCheck>) {
    self.source = source
    self.scenes = scenes
    self.allowed = allowed
  }

  /// Whether nothing is meant to fail in it.
  var isScript: Bool {
    switch source {
    case .file(let file): file.stopsAtFailure
    case .session: false
    }
  }

  var commands: [String] {
    switch source {
    case .file(let file): ExploredScript.commands(of: file)
    case .session(let search): search.commands
    }
  }

  /// What to call a file.
  static func name(of file: String) -> String { file == "-" ? "standard input" : file }

  /// The commands of a file; `-` is standard input.
  ///
  /// - Throws: where it cannot be read, holds several transcripts, or no command.
  static func playable(_ file: String) throws(SubcommandFailure) -> Playable {
    let quoted = ConversionFailure.name(of: file)
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try file == "-" ? FileBytes.readInput() : FileBytes.read(file)
    } catch {
      throw SubcommandFailure(
        "cannot read \(quoted): \(error.sentence)",
        hint: error == .folder ? "name one script or transcript" : nil
      )
    }
    let playable = try Playable.read(file, bytes, toBe: "explored")
    guard !ExploredScript.commands(of: playable).isEmpty else {
      throw SubcommandFailure(
        "\(quoted) has no command that could come in another order",
        hint: nil
      )
    }
    return playable
  }

  /// The script, performed once.
  ///
  /// - Throws: `Refusal` where it cannot be explored.
  func make(_ watch: ExploredScript.Watch) throws(ExploredScript.Refusal) -> ExploredScript {
    switch source {
    case .file(let file):
      try ExploredScript(
        file,
        scenes: scenes,
        allowing: allowed,
        defaultCrashes: defaultCrashes,
        watch: watch
      )
    case .session(let search): search.script(scenes, watch: watch)
    }
  }
}
