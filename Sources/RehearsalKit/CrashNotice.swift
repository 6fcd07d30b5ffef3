internal import CCrashNotice
import Rehearsal
import RehearsalBase
import Script

/// What is said when the process crashes, or somebody's code calls `exit`: in which command, and what is
/// left of the session.
enum CrashNotice {
  /// From now on crashes and exits are caught, to be told.
  static func install() { ccn_install("the program") }

  /// Prepares the words for a crash or an exit from here on; nil where there is nothing to say.
  static func prepare(_ command: String?, recording: String?) {
    guard let command else { return ccn_set(nil, 0) }
    var text = text(command, recording: recording)
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { ccn_set($0.baseAddress, $0.count) }
    }
  }

  static func text(_ command: String, recording: String?) -> String {
    " in this command:\n  > \(command.printable(atMost: 200))\n"
      + (recording.map { "note: the transcript up to it is in \($0.printable(atMost: 1000))\n" }
        ?? "")
  }
}
