import Timelines

/// How much of a recording is the same after the session went back, or forth again.
package struct KeptPart: Sendable {
  package let lanes: Int
  package let events: Int
  package let passages: Int

  /// Nothing, where either has lost its beginning: what stands where is not to be compared then.
  init(of old: Recording, in new: Recording) {
    guard old.omitted == .init(), new.omitted == .init() else {
      (lanes, events, passages) = (0, 0, 0)
      return
    }
    lanes = Self.count(old.lanes, new.lanes)
    events = Self.count(old.events, new.events)
    passages = Self.count(old.passages, new.passages)
  }

  private static func count<T: Equatable>(_ old: [T], _ new: [T]) -> Int {
    zip(old, new).prefix { $0 == $1 }.count
  }
}

extension SessionHost {
  /// What stayed, if the session has gone back or forth since this was last asked.
  package func takeKept() -> KeptPart? {
    defer { kept = nil }
    return kept
  }
}
