import RehearsalBase
import Script
import Staging
import Timelines

/// Time that passes by itself, while a prompt stands.
///
/// What is written down of it replays at once: an instant that prints something ends a 'wait' of its own.
extension Session {
  /// What time waits for.
  enum Pace: Sendable {
    /// For commands.
    case virtual
    /// For nobody, while a prompt stands.
    case live
  }

  /// Time that is passing by itself.
  struct Flow {
    /// What is written down, should something be printed.
    let command: String
    var isWritten = false
  }

  /// Lets time pass until `time` has come, instant by instant. It stands still for as long as something is
  /// on its way over a socket.
  func flow(to time: Duration) {
    forgetTheOldest()
    if hasOutsideWork { flow("wait 0s") { takeFromOutside() } }
    while pace == .live, !hasOutsideWork, let next = stage.nextInstant?.elapsed, next <= time {
      flow("wait \((next - concludedTime).compact)") { () throws(Diagnostic) in
        _ = try step(span: 5..<currentText.utf8.count)
      }
    }
    guard pace == .live, !hasOutsideWork, time > stage.now.elapsed else { return }
    stage.advance(by: time - stage.now.elapsed, limit: Self.mostSteps, waitingForOutside: false)
  }

  /// Writes down what time has passed by itself since the last command.
  func writePause() {
    guard stage.now.elapsed > concludedTime else { return }
    writeDown("wait \((stage.now.elapsed - concludedTime).compact)", as: .pause)
    concludePause()
  }

  /// How many instants may print nothing before they are written down all the same: a 'wait' visits only
  /// so many.
  private static let mostSilentInstants = mostSteps / 10

  private func flow(_ command: String, _ body: () throws(Diagnostic) -> Void) {
    flowing = Flow(command: command)
    currentText = command
    interruption = .none
    pipeMeter.reset()
    do throws(Diagnostic) {
      try body()
    } catch {
      fail(error)
      pace = .virtual
      say("note: time stands still again")
    }
    endOutput()
    let isWritten = flowing?.isWritten == true
    (flowing, currentText) = (nil, "")
    silentInstants = isWritten ? 0 : silentInstants + 1
    if isWritten {
      concludePause()
    } else if silentInstants >= Self.mostSilentInstants {
      writePause()
    }
  }

  /// Writes down that time has passed, before the first line that this instant prints.
  func writeFlow() {
    guard let flow = flowing, !flow.isWritten else { return }
    flowing?.isWritten = true
    writeDownSettings(before: .success(.nothing))
    writeDown(flow.command, as: .pause)
  }

  private func concludePause() {
    silentInstants = 0
    concludedTime = stage.now.elapsed
    concludedEvents = recording.events.count
    log.amendLatest { entry in
      entry.ended = stage.now.elapsed
      entry.effect = .changed
      entry.readings = memory?.takeReadings() ?? []
    }
  }

  private var hasOutsideWork: Bool { httpIfUsed?.outside.isBusy ?? false }

  private func takeFromOutside() {
    httpIfUsed?.outside.whileOpen { _ = stage.runReady(limit: Self.mostSteps) }
  }
}
