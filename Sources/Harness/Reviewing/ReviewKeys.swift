import RehearsalBase

/// The help texts for a review's keys, from the widest to the narrowest.
enum ReviewKeys {
  static let line = [
    "a accept  r reject  s skip  A R all  o n b old new both  u undo  ? help  q quit",
    "a accept  r reject  s skip  A R all  u undo  ? help  q quit",
    "a accept  r reject  s skip  ? help  q quit",
    "a yes  r no  s skip  ? help",
    "a r s ? q",
  ]

  static func all(_ decision: PendingDecision) -> [String] {
    [
      "\(decision) all: f of this file, a of every file, any other key: none",
      "\(decision) all: f file, a every file",
      "\(decision) all: f, a",
    ]
  }

  static let wideHelp = [
    "a  accept what was printed        A  all of this file, or of every file",
    "r  keep what was expected         R  all of this file, or of every file",
    "s  leave it for another day       u  undo the last decision",
    "o  show the old output            n  show the new        b  show both",
    "j  go to the next, or ↓           k  go back, or ↑       space  scroll",
    "q  leave; what was decided is kept, the rest stays pending",
  ]

  static let narrowHelp = [
    "q  leave, keep what was decided",
    "a  accept what was printed",
    "r  keep what was expected",
    "s  leave it for another day",
    "u  undo the last decision",
    "A R  all of the file, or of all",
    "o n b  show the old, the new, both",
    "j k  go to the next, or back",
    "space  scroll",
  ]
}

extension [String] {
  /// Returns the first text that fits, or else the last.
  func widest(in columns: Int) -> String {
    first { $0.widthInColumns <= columns } ?? last ?? ""
  }
}
