/// A store of the state. Actions change it through the reducer, bindings change it directly. The
/// store performs commands and dispatches their results.
@MainActor final class Store {
  private(set) var state: AppState
  /// Every change since `initialState`, in order.
  private(set) var history: [Change] = []
  let initialState: AppState
  /// Receives every event, in order.
  var observer: (StoreEvent) -> Void = { _ in }

  private let reduce: Reducer
  private let storage: FileStorage
  private let startCommand: CommandPerforming.Start
  private var running: [AppCommand.ID: Running] = [:]
  private var runCount = 0

  enum Change: Equatable {
    case action(AppAction)
    case binding(AppBinding)
  }

  /// Keeps a command's request alive. Dropping it cancels the request without an action.
  private struct Running {
    let number: Int
    let cancel: () -> Void
  }

  init(
    reduce: @escaping Reducer,
    storage: FileStorage,
    startCommand: @escaping CommandPerforming.Start
  ) {
    initialState = AppState(user: storage.user)
    state = initialState
    self.reduce = reduce
    self.storage = storage
    self.startCommand = startCommand
    storage.observer = { [weak self] in self?.observer(.file($0)) }
  }

  func dispatch(_ action: AppAction) {
    history.append(.action(action))
    observer(.action(action))
    guard let reduction = reduce(state, action) else { return observer(.ignored(action)) }
    replaceState(by: reduction.state)
    for command in reduction.commands { perform(command) }
  }

  func bind(_ binding: AppBinding) {
    history.append(.binding(binding))
    let old = state
    binding.write(&state)
    let changes = AppState.difference(from: old, to: state)
    for change in changes.isEmpty ? ["nothing changes"] : changes { observer(.binding(change)) }
  }

  private func replaceState(by new: AppState) {
    let changes = AppState.difference(from: state, to: new)
    state = new
    for change in changes { observer(.state(change)) }
  }

  // MARK: Commands

  func perform(_ command: AppCommand) {
    observer(.command(command))
    switch command {
    case .writeUser(let user): storage.user = user
    case .deleteUser: storage.user = nil
    case .cancel(let id): cancel(id)
    case .login, .loadItems: start(command)
    }
  }

  private func start(_ command: AppCommand) {
    guard let id = command.id else { return }
    runCount += 1
    let number = runCount
    running[id]?.cancel()
    let cancel = startCommand(command) { [self] action in
      let isCurrent = running[id]?.number == number
      if isCurrent { running[id] = nil }
      guard let action else { return }
      if isCurrent { dispatch(action) } else { observer(.tooLate(id)) }
    }
    running[id] = Running(number: number, cancel: cancel)
  }

  private func cancel(_ id: AppCommand.ID) {
    guard let run = running.removeValue(forKey: id) else { return observer(.notInFlight(id)) }
    run.cancel()
    dispatch(.commandCancelled(id))
  }

  /// Drops a command's token, like releasing an `AnyCancellable`: its request is cancelled, and no
  /// action reports it.
  func drop(_ id: AppCommand.ID) {
    guard let run = running.removeValue(forKey: id) else { return observer(.notInFlight(id)) }
    run.cancel()
    observer(.dropped(id))
  }

  // MARK: Replay

  /// Returns the state after applying the whole history with the reducer alone, without commands.
  func replay() -> AppState {
    history.reduce(into: initialState) { state, change in
      switch change {
      case .action(let action): state = reduce(state, action)?.state ?? state
      case .binding(let binding): binding.write(&state)
      }
    }
  }
}
