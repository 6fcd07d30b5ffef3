import Loading
import RehearsalBase
import Script
import Staging
import Timelines

/// A lane for messages of the user's own code.
@MainActor final class JournalMember: Member {
  let name: String
  let lane: Int
  private unowned let session: Session
  private var latest = "nothing yet"
  private var count = 0
  private let journal: Journal

  init(_ journal: Journal, session: Session) {
    self.journal = journal
    name = journal.name
    self.session = session
    lane = session.history.addLane(.init(name: name, word: "journal", initial: latest))
    journal.take = { [unowned self] in self.note($0) }
  }

  var declaration: String { name }
  var sort: MemberSort { .journal }
  var isCustom: Bool { true }
  var stateText: String { latest }
  var facts: [(name: String, value: String)] { [("latest", latest), ("notes", "\(count)")] }

  private func note(_ text: String) {
    latest = text.escapingControls
    count += 1
    session.history.append(.changed, lane: lane, state: latest, phase: .resting)
    session.output.printEvent("\(name)  \(latest)", lane: lane)
  }

  func satisfies(_ pattern: StatePattern) -> Bool { false }

  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) {
    throw Diagnostic(
      .wrongMember(name, is: word, needed: "member with states or values"),
      at: pattern.span,
      hint: "'log \(name)' shows its lines"
    )
  }

  var visitCount: Int { 0 }
  func firstVisit(_ pattern: StatePattern, isSo: Bool, from visit: Int) -> Duration? { nil }
  func tearDown() { journal.take = nil }
}
