internal import CCrashNotice
import Staging
import Workers

/// The message of a test process about a crash or a call of `exit`: it names the replayed transcripts; `CCrashNotice.c`
/// has the handlers.
package enum CrashWords {
  /// Installs the handlers for crashes and exits.
  package static func prepare() { _ = isPrepared }

  private static let isPrepared: Bool = {
    ccn_install("the tests")
    ccn_set_details(CrashReport.details)
    Stage.surroundThreads(of: ccn_present, ccn_do_within)
    Stage.whenLoopIsEndless(RunNotice.stopThread)
    ReplayWatch.shared.follow(set)
    return true
  }()

  // Called by one thread at a time.
  @Sendable private static func set(_ commands: [String]) {
    guard var text = text(commands) else { return ccn_set(nil, 0) }
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { ccn_set($0.baseAddress, $0.count) }
    }
  }

  /// Returns the message; nil if no transcript is replayed, because then the crash is in other code.
  package static func text(_ commands: [String]) -> String? {
    switch commands.count {
    case 0: nil
    case 1: " in this transcript:\n" + commands[0]
    default: ", in one of these transcripts:\n" + commands.joined()
    }
  }
}
