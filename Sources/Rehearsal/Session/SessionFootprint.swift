import Timelines

/// A value that is different after a command with effects: time, events, lines, members, outside operations.
struct SessionFootprint: Equatable {
  let time: Duration
  let events: Int
  let lines: Int
  let members: Int
  /// The number of operations outside of the stage.
  let outside: Int

  @MainActor init(of session: Session) {
    time = session.stage.now.elapsed
    events = session.history.recording.events.count
    lines = session.history.eventLines.count
    members = session.members.all.count
    outside = session.clock.outside.lastTicket
  }
}

extension Session {
  var footprint: SessionFootprint { SessionFootprint(of: self) }
}
