/// A check or command that a session accepted and never performed: its error and its hint.
package struct Unperformed: Sendable, Equatable {
  package enum Reason: String, Sendable, CaseIterable {
    /// The command was due after the end of the session.
    case notDue
    /// An `eventually` has not been met.
    case neverSo
    /// An `always` or `never` was given when nothing was left to happen.
    case nothingHappened
    /// The interrupt of an assertion did not come before its attempt or the session ended.
    case notInterrupted
    /// A decision of a schedule did not occur.
    case undecided
  }

  /// The command of the transcript or script. It identifies the line.
  package let command: String
  /// The part of the command that was not performed or checked.
  package let text: String
  package let reason: Reason
  /// The time at which it was due, and its file and line if it is in a sourced file.
  package let details: String

  package init(command: String, text: String, reason: Reason, details: String) {
    (self.command, self.text, self.reason) = (command, text, reason)
    self.details = details
  }

  /// The problem as text.
  package var sentence: String {
    Self.sentence(reason, text, details)
  }

  static func sentence(_ reason: Reason, _ text: String, _ details: String) -> String {
    switch reason {
    case .notDue: "'\(text)' was never performed: the session ended before \(details)"
    case .neverSo: "'\(text)' was still open when the session ended\(details)"
    case .nothingHappened: "'\(text)' checked nothing: nothing happened after it\(details)"
    case .notInterrupted:
      "'\(text)' was never performed: the session or the attempt of its interrupt ended before \(details)"
    case .undecided: "'\(text)' was not followed to its end: \(details) never came"
    }
  }

  /// A hint.
  package var hint: String { Self.hint(reason) }

  static func hint(_ reason: Reason) -> String {
    switch reason {
    case .notDue: "let time pass: end with 'settle', or with 'wait D'"
    case .neverSo:
      "let the condition hold, with 'settle' or 'wait D'; 'forget assertion N' ends it"
    case .nothingHappened:
      "place it before the commands that it checks, or let time pass with 'settle'; 'expect' checks at once"
    case .notInterrupted:
      "let the attempt take longer, or check it by another command, as in 'in 1s expect …'"
    case .undecided:
      "the script was changed since the schedule was found; 'explore' finds another, 'schedule default' ends it"
    }
  }
}
