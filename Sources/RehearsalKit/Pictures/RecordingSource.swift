import Rehearsal
import RehearsalBase
import Script
import Timelines

/// A file with a recording: a transcript or a script, which is played, or a recording in JSON.
struct RecordingSource {
  let path: String
  let network: SessionNetwork
  /// The options of a played session.
  let options: OptionSources

  /// The maximum size of the file.
  private static let limitInBytes = 256 << 20

  /// Reads or plays the file. Checks and commands that were not performed are errors on standard error.
  ///
  /// - Throws: an error if there is no recording.
  func recording() throws(SubcommandFailure) -> Recording {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes =
        try path == "-"
        ? FileBytes.readInput() : FileBytes.readAny(path, limitInBytes: Self.limitInBytes)
    } catch {
      throw SubcommandFailure("cannot read '\(path)': \(error.sentence)", hint: nil)
    }
    let first = bytes.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    return first == UInt8(ascii: "{") ? try read(bytes) : try play(bytes)
  }

  private func read(_ bytes: [UInt8]) throws(SubcommandFailure) -> Recording {
    do throws(RecordingProblem) {
      let recording = try Recording(json: bytes)
      for sentence in recording.unperformed {
        complain(sentence.printable(atMost: 400), hint: "record again, and let every command run")
      }
      return recording
    } catch {
      throw SubcommandFailure(
        "cannot read '\(path)': \(error.sentence)",
        hint: "'timeline as json' writes recordings"
      )
    }
  }

  private func complain(_ sentence: String, hint: String) {
    StandardStreams.complain(
      "error: \(ConversionFailure.name(of: path)): \(sentence)\nhint: \(hint)"
    )
  }

  private func play(_ bytes: [UInt8]) throws(SubcommandFailure) -> Recording {
    let playable = try Playable.read(path, bytes, toBe: "run")
    guard playable.holdsCommands else {
      throw SubcommandFailure(
        "there is no command in \(ConversionFailure.name(of: path))",
        hint: "write each command on its own line"
      )
    }
    nonisolated(unsafe) var printed: [String] = []  // Only the session's thread prints.
    let host = SessionHost(
      files: playable.files,
      network: network,
      scenes: ThisProgram.current.scenes
    ) {
      printed.append($0)
    }
    defer { host.end() }
    host.take(options)
    let guarded = GuardedHost(host, isInteractive: false)
    var left: [(sentence: String, hint: String)] = []
    for (index, command) in playable.commands.enumerated() {
      printed = []
      let continues = guarded.perform(command)
      if host.hasFailed {
        guard !playable.stopsAtFailure else {
          throw SubcommandFailure(
            lines: ["\(path) fails at '\(command)'"] + printed,
            exit: .differences
          )
        }
        if let failure = playable.unexpectedFailure(
          ofCommandAt: index,
          printed,
          failures: host.failureLines
        ) {
          left.append(failure)
        }
      }
      guard !continues else { continue }
      if let words = playable.unperformed(after: index) {
        left.append(
          (
            "the session ended, and \(words)",
            "remove the lines after the command that ends the session"
          )
        )
      }
      break
    }
    try playable.requireAllPlayed(unread: host.unreadFixtures, of: path)
    left += host.unperformed.map { ($0.sentence, $0.hint) }
    for (sentence, hint) in left { complain(sentence, hint: hint) }
    for note in host.notes { StandardStreams.complain("note: \(note)") }
    var recording = host.recording
    recording.unperformed = left.map(\.sentence)
    return recording
  }

  /// Writes a picture to a file.
  static func write(_ text: String, to path: String) throws(SubcommandFailure) {
    do throws(FileProblem) {
      try AtomicFile.write(Array(text.utf8), to: path)
    } catch {
      throw SubcommandFailure(
        "cannot write '\(path)': \(error.sentence)",
        hint: nil,
        exit: .harness
      )
    }
  }
}
