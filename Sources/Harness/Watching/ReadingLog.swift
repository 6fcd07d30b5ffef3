import Timelines

/// The files that the performers of one transcript read, collected when they finish. Confined to one thread.
final class ReadingLog {
  private var readings: [FileReading] = []

  /// Returns a factory whose performers report their readings here.
  func following(_ makePerformer: @escaping PerformerFactory) -> PerformerFactory {
    { fixtures, folder in FollowedPerformer(makePerformer(fixtures, folder), self) }
  }

  /// Returns the readings since the last call, without duplicates.
  func take() -> [FileReading] {
    defer { readings = [] }
    return readings
  }

  fileprivate func add(_ more: [FileReading]) {
    readings += more.filter { one in !readings.contains { $0.path == one.path } }
  }
}

/// A performer that reports at its end what it read.
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
  var reasons: [String] { performer.reasons }
  var activity: [String] { performer.activity }
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
