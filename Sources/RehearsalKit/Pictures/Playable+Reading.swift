import Harness
import Rehearsal

/// Reads a file that is run for a picture or a search; refuses several transcripts, invalid lines and unread fixtures.
extension Playable {
  /// Reads the commands of a file.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - bytes: its content.
  ///   - purpose: the use of the file, as a participle.
  /// - Returns: the commands and the fixtures of the file.
  /// - Throws: if the file contains several transcripts or none, text that is not UTF-8, or an invalid line.
  static func read(
    _ path: String,
    _ bytes: [UInt8],
    toBe purpose: String
  ) throws(SubcommandFailure) -> Playable {
    let name = ConversionFailure.name(of: path)
    guard let playable = Playable(path: path, bytes: bytes) else {
      throw SubcommandFailure(
        "\(name) does not have exactly one transcript",
        hint: "copy the transcript into its own file"
      )
    }
    if let line = FileBytes.firstLineNotUTF8(bytes) {
      let problem = FileProblem.notUTF8(line: line)
      throw SubcommandFailure("cannot read \(name): \(problem.sentence)", hint: nil)
    }
    if let stray = playable.stray {
      throw refusal(of: path, toBe: purpose, stray.line, stray.sentence, hint: stray.hint)
    }
    if let note = playable.note { StandardStreams.complain("note: \(note)") }
    return playable
  }

  /// Refuses a transcript with an unread fixture that looks like a part of it, because a `---` line made it a fixture.
  ///
  /// - Parameters:
  ///   - unread: names of fixtures that no command has read.
  ///   - path: the path of the transcript.
  /// - Throws: if there is such a fixture.
  func requireAllPlayed(unread: [String], of path: String) throws(SubcommandFailure) {
    if let part = swallowed(unread: unread) {
      throw Self.refusal(of: path, toBe: "run", part.line, part.sentence, hint: part.hint)
    }
  }

  private static func refusal(
    of path: String,
    toBe purpose: String,
    _ line: Int,
    _ sentence: String,
    hint: String
  ) -> SubcommandFailure {
    SubcommandFailure(
      "\(ConversionFailure.name(of: path)) cannot be \(purpose): line \(line): \(sentence)",
      hint: hint
    )
  }
}
