import Rehearsal

/// A store with its email check, and the operations that the shell offers for them.
@MainActor final class StoreConsole {
  let store: Store
  private let check: any EmailChecking
  private let storage: FileStorage
  private let journal: Journal
  /// The state at the latest `dump`.
  private var dumped: AppState

  init(store: Store, check: any EmailChecking, storage: FileStorage, journal: Journal) {
    self.store = store
    self.check = check
    self.storage = storage
    self.journal = journal
    dumped = store.state
    store.observer = { journal.note($0.description) }
    check.observer = { journal.note("check    \($0)") }
    check.onVerdict = { store.dispatch(.emailValid($0)) }
  }

  func bind(_ binding: AppBinding) {
    store.bind(binding)
    check.update(email: store.state.email, mode: store.state.mode)
  }

  func drop(_ subscription: Subscription) {
    switch subscription {
    case .login: store.drop(.login)
    case .loadItems: store.drop(.loadItems)
    case .emailCheck: check.drop()
    }
  }

  /// A subscription that can be dropped.
  enum Subscription: String, CaseIterable {
    case login, loadItems, emailCheck
  }

  // MARK: Inspecting

  func writeTruthTable() {
    for evidence in EmailEvidence.all { journal.note("table    \(evidence)") }
  }

  func dump() {
    dumped = store.state
    for (name, value) in dumped.fields { journal.note("is       \(name)  \(value)") }
  }

  func compare() {
    let changes = AppState.difference(from: dumped, to: store.state)
    for change in changes.isEmpty ? ["nothing"] : changes { journal.note("differs  \(change)") }
  }

  func replay() {
    let accesses = storage.accessCount
    let state = store.replay()
    let changes = AppState.difference(from: state, to: store.state)
    journal.note(
      "replay   \(count(\.isAction, "action")) and \(count(\.isBinding, "binding")) lead to "
        + (changes.isEmpty ? "the same state" : "another state")
    )
    for change in changes { journal.note("replay   \(change)") }
    let writes = storage.accessCount - accesses
    if writes > 0 { journal.note("replay   is not pure: it touched the file \(writes) times") }
  }

  private func count(_ property: KeyPath<Store.Change, Bool>, _ word: String) -> String {
    let count = store.history.count { $0[keyPath: property] }
    return "\(count) \(word)\(count == 1 ? "" : "s")"
  }
}

extension Store.Change {
  fileprivate var isAction: Bool { if case .action = self { true } else { false } }
  fileprivate var isBinding: Bool { !isAction }
}
