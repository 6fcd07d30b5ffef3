/// How much a session keeps of what it was told and of what happened, so that its memory stays flat.
///
/// Of what is full the oldest quarter goes, at the beginning of the next command.
package struct SessionLimits: Sendable {
  /// The most commands, with what they printed.
  package var commands: Int
  /// The most lines that those may have printed.
  package var lines: Int
  /// The most events, and the most lines that tell of them.
  package var events: Int

  /// Limits that hardly anybody meets; a session that is full has some 150 MB.
  package init(commands: Int = 100_000, lines: Int = 500_000, events: Int = 100_000) {
    self.commands = commands
    self.lines = lines
    self.events = events
  }

  /// How much of it stays when so much is full.
  static func kept(of limit: Int) -> Int { limit - limit / 4 }
}
