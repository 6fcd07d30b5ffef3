/// What a session was told to check or to do, and never came to.
package struct Unperformed: Sendable, Equatable {
  package enum Reason: String, Sendable, CaseIterable {
    /// A command that was due after the end of the session.
    case notDue
    /// What must be so at some time, and has not been.
    case neverSo
    /// What must be so all the time, or never, and was given when nothing was left to happen.
    case nothingHappened
    /// An assertion of an interrupt that did not come before its attempt or the session ended.
    case notInterrupted
    /// A decision of a schedule that did not come.
    case undecided
  }

  /// The command that was given, by which its place is found.
  package let command: String
  /// The part of it that was to be performed or checked.
  package let text: String
  package let reason: Reason
  /// When that was due, and the file and line that have it, if they are of a sourced file.
  package let details: String

  package init(command: String, text: String, reason: Reason, details: String) {
    (self.command, self.text, self.reason) = (command, text, reason)
    self.details = details
  }

  /// What is wrong, as a fact.
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

  /// What to try instead.
  package var hint: String { Self.hint(reason) }

  static func hint(_ reason: Reason) -> String {
    switch reason {
    case .notDue: "let time pass: end with 'settle', or with 'wait D'"
    case .neverSo:
      "let it become so, with 'settle' or 'wait D'; 'forget judge N' ends it"
    case .nothingHappened:
      "give it before what it is about, or let time pass with 'settle'; 'expect' is about now"
    case .notInterrupted:
      "let the attempt take longer, or check it by another command, as in 'in 1s expect …'"
    case .undecided:
      "the script was changed since the schedule was found; 'explore' finds another, 'schedule plain' ends it"
    }
  }
}
