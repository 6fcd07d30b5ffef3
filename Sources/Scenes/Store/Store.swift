/// Holds the state. Actions change it by the reducer, bindings directly; commands are carried out
/// and dispatch their results in turn.
@MainActor final class Store {
  private(set) var state: AppState
  /// Everything that changed the state, in order, since `initialState`.
  private(set) var history: [Change] = []
  let initialState: AppState
  /// Told everything, in order.
  var observer: (StoreEvent) -> Void = { _ in }

  private let reduce: Reducer
  private let services: AppServices
  private var running: [AppCommand.ID: Running] = [:]
  private var runCount = 0

  enum Change: Equatable {
    case action(AppAction)
    case binding(AppBinding)
  }

  /// Keeps a command's request alive. Whoever drops it hears nothing more of that request.
  private struct Running {
    let number: Int
    let task: Task<Void, Never>
  }

  init(reduce: @escaping Reducer, services: AppServices) {
    initialState = AppState(user: services.storage.user)
    state = initialState
    self.reduce = reduce
    self.services = services
    services.storage.observer = { [weak self] in self?.observer(.file($0)) }
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
    case .writeUser(let user): services.storage.user = user
    case .deleteUser: services.storage.user = nil
    case .cancel(let id): cancel(id)
    case .login, .loadItems: start(command)
    }
  }

  private func start(_ command: AppCommand) {
    guard let id = command.id else { return }
    runCount += 1
    let number = runCount
    running[id]?.task.cancel()
    let task = Task {
      let action = await services.perform(command)
      let isCurrent = running[id]?.number == number
      if isCurrent { running[id] = nil }
      guard let action else { return }
      if isCurrent { dispatch(action) } else { observer(.tooLate(id)) }
    }
    running[id] = Running(number: number, task: task)
  }

  private func cancel(_ id: AppCommand.ID) {
    guard let run = running.removeValue(forKey: id) else { return observer(.notInFlight(id)) }
    run.task.cancel()
    dispatch(.commandCancelled(id))
  }

  /// Lets go of a command's token, as forgetting an `AnyCancellable` does: its request is cancelled,
  /// and no action will tell.
  func drop(_ id: AppCommand.ID) {
    guard let run = running.removeValue(forKey: id) else { return observer(.notInFlight(id)) }
    run.task.cancel()
    observer(.dropped(id))
  }

  // MARK: Once more

  /// The state to which the reducer alone comes by the whole history. Nothing is carried out.
  func replay() -> AppState {
    history.reduce(into: initialState) { state, change in
      switch change {
      case .action(let action): state = reduce(state, action)?.state ?? state
      case .binding(let binding): binding.write(&state)
      }
    }
  }
}
