import RehearsalBase
import Script
package import Timelines

/// The run of a file of commands in its own session, for a picture of a terminal.
package struct PlayedSession {
  /// Its commands with their output, in order.
  package let records: [Recording.CommandRecord]
  /// The syntax colours of each command, when it was performed.
  package let colours: [SessionPicture.Colours]
  /// Names of the transcript's fixtures that no command has read.
  package let unreadFixtures: [String]
  /// The notes of the session when it ended.
  package let notes: [String]
  /// The reasons why the picture is incomplete, with hints.
  package let complaints: [(sentence: String, hint: String)]

  /// Performs the commands for a terminal with this width, without a network. A failing command is
  /// shown, and ends a script.
  package init(_ file: Playable, scenes: [Scene], columns: Int) {
    nonisolated(unsafe) var printed: [String] = []  // Only the session's thread prints.
    let host = SessionHost(files: file.files, scenes: scenes) { printed.append($0) }
    defer { host.end() }
    host.adopt(width: columns)
    var colours: [SessionPicture.Colours] = []
    var complaints: [(sentence: String, hint: String)] = []
    for (index, command) in file.commands.enumerated() where !CommandText.isBlank(command) {
      colours.append(host.colours(of: command).compactMap(\.inPicture))
      printed = []
      let continues = host.perform(command)
      if host.hasFailed {
        guard !file.stopsAtFailure else {
          complaints.append(
            ("'\(command.printable(atMost: 200))' fails", "the picture shows why, and ends there")
          )
          break
        }
        if let failure = file.unexpectedFailure(
          ofCommandAt: index,
          printed,
          failures: host.failureLines
        ) {
          complaints.append(failure)
        }
      }
      guard !continues else { continue }
      if let words = file.unperformed(after: index) {
        complaints.append(
          (
            "the session ended, and \(words)",
            "remove the lines after the command that ends the session"
          )
        )
      }
      break
    }
    if !(file.stopsAtFailure && host.hasFailed) {
      complaints += host.unperformed.map { ($0.sentence, $0.hint) }
    }
    self.complaints = complaints
    notes = host.notes
    records = host.recording.records
    self.colours = colours
    unreadFixtures = host.unreadFixtures
  }
}

extension Session.ColouredPart {
  /// The part for a picture of the session; nil if it has no colour.
  fileprivate var inPicture: (range: Range<Int>, role: SessionPicture.Role)? {
    switch role {
    case .verb: (range, .verb)
    case .keyword: (range, .keyword)
    case .member: (range, .name)
    case .string: (range, .string)
    case .number, .duration: (range, .number)
    case .comment: (range, .comment)
    case .mistake: (range, .mistake)
    case .name, .type, .policy, .value: nil
    }
  }
}
