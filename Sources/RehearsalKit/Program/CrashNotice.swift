internal import CCrashNotice
import Rehearsal
import RehearsalBase
import Script
import Staging

/// The message of a shell about a crash or a call of `exit`: it names the command and the transcript; `CCrashNotice.c`
/// has the handlers.
enum CrashNotice {
  /// Installs the handlers for crashes and exits.
  static func install() {
    ccn_install("the program")
    Stage.surroundThreads(of: ccn_present, ccn_do_within)
  }

  /// Sets the message for a later crash or exit; no message if the command is nil.
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
