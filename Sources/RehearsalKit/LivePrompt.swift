import LineEditing
import Rehearsal
import RehearsalBase
import Script

/// Lets a session's time flow while the prompt stands, if it has been told to.
final class LivePrompt {
  private let guarded: GuardedHost
  /// A moment in real time, and in the session's.
  private var anchor = (real: Duration.zero, virtual: Duration.zero)
  private var statusLine: String?
  /// Whether time is held up, since a command of several lines is not whole yet: nothing shall happen
  /// between its lines. It catches up afterwards.
  var isHeld = false

  /// How often the time below the prompt changes.
  private static let pace = Duration.milliseconds(100)

  init(_ guarded: GuardedHost) {
    self.guarded = guarded
  }

  private var host: SessionHost { guarded.host }

  /// Has a prompt show it.
  func stand(at editor: LineEditor, _ screen: ShellScreen) {
    host.attend(by: TerminalAudience(screen))
    let messages = editor.messages
    editor.idle = {
      self.isHeld ? nil : screen.whileOutputGoes(to: messages, self.flow)
    }
    editor.status = { self.statusLine }
  }

  /// From here on time flows: a command is over.
  func begin() {
    anchor = (RealTime.now, host.stage.now.elapsed)
  }

  /// Lets pass what time has passed outside.
  ///
  /// - Returns: when to be called again; nil where time stands still.
  private func flow() -> Duration? {
    guard host.isLive else {
      statusLine = nil
      return nil
    }
    let target = anchor.virtual + .milliseconds((RealTime.now - anchor.real).wholeMilliseconds)
    let next = guarded.flow(to: target)
    if host.stage.now.elapsed < target { begin() }
    let flight = host.flight
    statusLine = host.nowInWords + " live" + (flight.isEmpty ? "" : " · " + flight)
    guard host.isLive, let next else { return Self.pace }
    return min(Self.pace, max(.milliseconds(1), next - target))
  }

  /// Writes down what time has passed, before a command.
  func end() {
    guard host.isLive else { return }
    _ = flow()
    host.writePause()
  }
}
