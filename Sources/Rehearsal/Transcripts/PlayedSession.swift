import Script
package import Timelines

/// A file of commands, played in a session of its own for the sake of what a terminal would show.
package struct PlayedSession {
  /// Its commands with their output, in order.
  package let passages: [Recording.Passage]
  /// What the parts of each command meant when it was given.
  package let colours: [SessionPicture.Colours]
  /// Names of the transcript's fixtures that no command has read.
  package let unreadFixtures: [String]

  /// Plays the commands for a terminal of so many columns, without a network. One that fails is part of
  /// what is shown.
  package init(_ file: Playable, scenes: [Scene], columns: Int) {
    let host = SessionHost(files: file.files, scenes: scenes) { _ in }
    defer { host.end() }
    host.adopt(width: columns)
    var colours: [SessionPicture.Colours] = []
    for command in file.commands where !CommandText.isBlank(command) {
      colours.append(host.colours(of: command).compactMap(\.inPicture))
      guard host.perform(command) else { break }
    }
    passages = host.recording.passages
    self.colours = colours
    unreadFixtures = host.unreadFixtures
  }
}

extension Session.ColouredPart {
  /// As a picture of the session has it; nil where it looks like any text.
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
