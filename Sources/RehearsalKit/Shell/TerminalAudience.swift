import LibC
import Rehearsal
import RehearsalBase
import Staging

/// The terminal of `watch`, which shows time pass.
@MainActor final class TerminalAudience: Audience {
  private let screen: ShellScreen
  private var start = Duration.zero
  /// The minimum real time of a picture.
  private static let frameInMilliseconds: Int64 = 100

  nonisolated init(_ screen: ShellScreen) {
    self.screen = screen
  }

  func begin() {
    screen.watch(true)
    start = Self.now
  }

  var columns: Int { StandardStreams.columns }

  func show(_ picture: [String]) { screen.show(picture: picture) }

  func end() { screen.watch(false) }

  func wait(until duration: Duration, wakingFor descriptor: Int32) -> Duration? {
    let left = max(.zero, duration - (Self.now - start))
    var watched = [descriptor, STDIN_FILENO].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let milliseconds = min(left, .milliseconds(Self.frameInMilliseconds)).millisecondsRoundedUp
    _ = poll(&watched, nfds_t(watched.count), Int32(milliseconds))
    if watched[1].revents != 0 { return nil }
    let passed = Self.now - start
    return passed >= duration ? duration : .milliseconds(passed.wholeMilliseconds)
  }

  /// The real time, because the clocks of this thread return virtual time.
  private static var now: Duration { Stage.withoutStage { RealTime.now } }
}
