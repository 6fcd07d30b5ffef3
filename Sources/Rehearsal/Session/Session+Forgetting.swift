import Script
import Timelines

/// What a session forgets when it has become very long.
extension Session {
  /// Forgets the oldest commands and events of a session that is full.
  ///
  /// To be called between commands: whoever tells of a command then has told of all that it did.
  func forgetTheOldest() {
    let isLogFull = log.isFull(limits)
    let isRecordingFull =
      hasTooManyEvents || recording.passages.count > limits.commands
      || history.isFull(limits.events)
    guard isLogFull || isRecordingFull else { return }
    if isLogFull { forgetCommands() }
    history.forget(limits.events)
    omit()
    for member in members {
      member.forgetVisits(
        before: recording.omitted.until,
        most: SessionLimits.kept(of: limits.events)
      )
    }
  }

  /// What is in flight is not counted: it stays.
  private var hasTooManyEvents: Bool {
    recording.events.count - recording.omitted.beginnings > limits.events
  }

  private func forgetCommands() {
    log.forget(limits)
    undone = []
  }

  /// Leaves out of the recording what is too much, or is not in the log any more.
  private func omit() {
    let (events, passages) = (recording.events.count, recording.passages.count)
    let mostPassages =
      keepsLog
      ? log.commandCount
      : passages > limits.commands ? SessionLimits.kept(of: limits.commands) : passages
    let living = members.map(\.lane) + (httpIfUsed?.recorder.openLanes ?? [])
    let lanes = recording.omit(
      keepingEvents: hasTooManyEvents ? SessionLimits.kept(of: limits.events) : events,
      passages: mostPassages,
      lanes: Set(living.compactMap(laneNumbers.index))
    )
    laneNumbers.keep(lanes)
    concludedEvents = max(0, concludedEvents - (events - recording.events.count))
  }

  /// Refuses what takes the whole session, if that is not there any more.
  func requireWhole(span: Range<Int>) throws(Diagnostic) {
    guard let reason = log.missing else { return }
    throw Diagnostic(.cannotTravel(reason), at: span, hint: Self.hintForLongSessions)
  }

  static let hintForLongSessions = "'record FILE' at the beginning of a session keeps all of it"

  // MARK: Lanes

  /// Adds a row to the recording.
  ///
  /// - Returns: the number by which the session knows it from now on.
  func addLane(_ lane: Recording.Lane) -> Int {
    _ = recording.addLane(lane)
    return laneNumbers.next()
  }

  /// The row of that number, if it was not left out.
  func lane(_ number: Int) -> Recording.Lane? {
    laneNumbers.index(of: number).map { recording.lanes[$0] }
  }

  /// The index of a passage, which the session counts from its beginning; nil where it was left out.
  func passageIndex(_ number: Int?) -> Int? {
    guard let number, number >= recording.omitted.passages else { return nil }
    return number - recording.omitted.passages
  }
}
