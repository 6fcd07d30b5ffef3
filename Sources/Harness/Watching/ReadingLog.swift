import Timelines

/// What the performers of one transcript read, taken when they finish. Confined to the thread that plays.
final class ReadingLog {
  private var readings: [FileReading] = []

  /// Performers as `makePerformer` makes them, whose readings come here.
  func following(_ makePerformer: @escaping PerformerFactory) -> PerformerFactory {
    { fixtures, folder in FollowedPerformer(makePerformer(fixtures, folder), self) }
  }

  /// What was read since the last time that somebody asked, each file once.
  func take() -> [FileReading] {
    defer { readings = [] }
    return readings
  }

  fileprivate func add(_ more: [FileReading]) {
    readings += more.filter { one in !readings.contains { $0.path == one.path } }
  }
}

/// A performer that says at its end what it read.
private final class FollowedPerformer: CommandPerformer {
  private let performer: any CommandPerformer
  private let log: ReadingLog

  init(_ performer: any CommandPerformer, _ log: ReadingLog) {
    self.performer = performer
    self.log = log
  }

  func perform(_ command: String, output: (String) -> Void) -> Bool {
    performer.perform(command, output: output)
  }

  var transitionCounts: TransitionCounts { performer.transitionCounts }
  var recording: Recording? { performer.recording }
  var failures: [CommandFailure] { performer.failures }
  var unperformed: [Unperformed] { performer.unperformed }
  var unreadFixtures: [String] { performer.unreadFixtures }
  var notes: [String] { performer.notes }
  var readings: [FileReading] { performer.readings }

  func finish() {
    log.add(performer.readings)
    performer.finish()
  }
}
