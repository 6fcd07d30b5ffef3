/// Limits for the history of a session, so that its memory stays bounded.
///
/// If a limit is exceeded, the oldest quarter is removed at the beginning of the next command.
package struct SessionLimits: Sendable {
  /// Maximum number of commands, with their output.
  package var commands: Int
  /// Maximum number of output lines of those commands.
  package var lines: Int
  /// Maximum number of events, and of event lines.
  package var events: Int

  /// Creates limits that few sessions reach; a full session takes about 150 MB.
  package init(commands: Int = 100_000, lines: Int = 500_000, events: Int = 100_000) {
    self.commands = commands
    self.lines = lines
    self.events = events
  }

  /// Returns the number of items that stay after a removal.
  static func kept(of limit: Int) -> Int { limit - limit / 4 }
}
