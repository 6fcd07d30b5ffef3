internal import CCrashNotice
import Rehearsal

/// What is said when a process of tests crashes, or code in it calls `exit`: which transcripts it was replaying.
enum CrashWords {
  /// Makes sure that it is said from now on.
  static func prepare() { _ = isPrepared }

  private static let isPrepared: Bool = {
    ccn_install("the tests")
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

  /// Nothing where nothing is replayed: then it is no transcript that crashed.
  static func text(_ commands: [String]) -> String? {
    switch commands.count {
    case 0: nil
    case 1: " in this transcript:\n" + commands[0]
    default: ", in one of these transcripts:\n" + commands.joined()
    }
  }
}
