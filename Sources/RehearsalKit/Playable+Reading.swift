import Harness
import Rehearsal

extension Playable {
  /// Reads the commands of a file.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - bytes: its content.
  ///   - purpose: what is to be done with it, as a participle.
  /// - Returns: the commands, with the files that it carries.
  /// - Throws: if it holds several transcripts or none, text that is not UTF-8, or a line that means nothing.
  static func read(
    _ path: String,
    _ bytes: [UInt8],
    toBe purpose: String
  ) throws(SubcommandFailure) -> Playable {
    let name = ConversionFailure.name(of: path)
    guard let playable = Playable(path: path, bytes: bytes) else {
      throw SubcommandFailure(
        "\(name) does not hold just one transcript",
        hint: "write the one that is meant into a file of its own"
      )
    }
    if let line = FileBytes.firstLineNotUTF8(bytes) {
      let problem = FileProblem.notUTF8(line: line)
      throw SubcommandFailure("cannot read \(name): \(problem.sentence)", hint: nil)
    }
    if let stray = playable.stray {
      throw refusal(of: path, toBe: purpose, stray.line, stray.sentence, hint: stray.hint)
    }
    return playable
  }

  /// Refuses a transcript of which a line between dashes has made a file that nothing has read.
  ///
  /// - Parameters:
  ///   - unread: the names of the files that no command has read.
  ///   - path: the transcript.
  /// - Throws: if there is such a file, and it looks like a part of the transcript.
  func requireAllPlayed(unread: [String], of path: String) throws(SubcommandFailure) {
    if let part = swallowed(unread: unread) {
      throw Self.refusal(of: path, toBe: "played", part.line, part.sentence, hint: part.hint)
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
