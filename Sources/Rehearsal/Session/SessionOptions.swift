import RehearsalBase
import Script

/// The options of a running session, the object with them that all commands share, and the random numbers of its seed.
@MainActor final class SessionOptions {
  var settings = SessionSettings() { didSet { latestSnapshot = nil } }
  private var latestSnapshot: KeptSettings?
  /// One sequence for all random numbers of the session.
  private(set) var random = SeededRandom(seed: 0)

  /// Maximum number of columns of output.
  var width: Int { settings.values.width }

  /// The settings as one object, shared by all log entries until they change.
  var snapshot: KeptSettings {
    if let latestSnapshot { return latestSnapshot }
    let snapshot = KeptSettings(settings)
    latestSnapshot = snapshot
    return snapshot
  }

  /// Restarts the random numbers from a seed.
  func seed(_ seed: UInt64) { random = SeededRandom(seed: seed) }

  /// Returns an instant in the format of the option `times`.
  func text(_ time: Duration) -> String { settings.values.times.text(of: time) }
}
