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

  /// Lets time pass until `time` has come, instant by instant. It stands still for as long as something is
  /// on its way over a socket.
  func flow(to time: Duration) {
    removeOldest()
    if hasOutsideWork { flow("wait 0s") { takeFromOutside() } }
    while pace == .live, !hasOutsideWork, let next = stage.nextInstant?.elapsed, next <= time {
      flow("wait \((next - history.concludedTime).compact)") { () throws(Diagnostic) in
        _ = try step(span: 5..<execution.text.utf8.count)
      }
    }
    guard pace == .live, !hasOutsideWork, time > stage.now.elapsed else { return }
    stage.advance(by: time - stage.now.elapsed, limit: Self.mostSteps, waitingForOutside: false)
  }

  /// How many instants may print nothing before they are written down all the same: a 'wait' visits only
  /// so many.
  private static let mostSilentInstants = mostSteps / 10

  private func flow(_ command: String, _ body: () throws(Diagnostic) -> Void) {
    execution.text = command
    execution.interruption = .none
    pipeMeter.reset()
    let isWritten = history.whilePausing(command) {
      do throws(Diagnostic) {
        try body()
      } catch {
        output.fail(error)
        pace = .virtual
        output.printAside("note: time stands still again")
      }
      output.endCommand()
    }
    execution.text = ""
    silentInstants = isWritten ? 0 : silentInstants + 1
    if silentInstants >= Self.mostSilentInstants { writePause() }
  }

  /// Writes the time that has passed by itself since the last command.
  func writePause() {
    history.writePause()
    silentInstants = 0
  }

  private var hasOutsideWork: Bool { httpIfUsed?.outside.isBusy ?? false }

  private func takeFromOutside() {
    httpIfUsed?.outside.whileOpen { _ = stage.runReady(limit: Self.mostSteps) }
  }
}
