import LineEditing
import Rehearsal
import RehearsalBase
import Script

/// The live mode: virtual time advances with real time while the prompt waits.
final class LivePrompt {
  private let guarded: GuardedHost
  /// The same instant in real time and in virtual time.
  private var anchor = (real: Duration.zero, virtual: Duration.zero)
  private var statusLine: String?
  /// Whether time stands still, because a command of several lines is incomplete. Time catches up after it.
  var isHeld = false

  /// The interval between updates of the status line.
  private static let pace = Duration.milliseconds(100)

  init(_ guarded: GuardedHost) {
    self.guarded = guarded
  }

  private var host: SessionHost { guarded.host }

  /// Connects the live mode to a prompt.
  func stand(at editor: LineEditor, _ screen: ShellScreen) {
    host.attend(by: TerminalAudience(screen))
    let messages = editor.messages
    editor.idle = {
      self.isHeld ? nil : screen.whileOutputGoes(to: messages, self.flow)
    }
    editor.status = { self.statusLine }
  }

  /// Starts the flow of time after a command.
  func begin() {
    anchor = (RealTime.now, host.stage.now.elapsed)
  }

  /// Advances virtual time to real time.
  ///
  /// - Returns: the delay until the next call; nil if live mode is off.
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

  /// Records the elapsed time, before a command.
  func end() {
    guard host.isLive else { return }
    _ = flow()
    host.writePause()
  }
}
