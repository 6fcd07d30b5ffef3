/// The result of an action: the next state, and a command to perform.
struct Reduction: Equatable {
  var state: AppState
  var commands: [AppCommand] = []
}

/// A function that returns nil if it ignores the action.
typealias Reducer = @MainActor (AppState, AppAction) -> Reduction?

/// Returns the reduction of an action. Pure: the same state and action always give the same
/// reduction.
func reduce(_ state: AppState, _ action: AppAction) -> Reduction? {
  var next = Reduction(state: state)
  switch action {
  case .login(let email, let password):
    guard !state.isRequesting else { return nil }
    next.state.isRequesting = true
    next.state.loginError = nil
    next.commands = [.login(email: email, password: password)]
  case .accountBehaviorDone(.success(let user)):
    next.state.isRequesting = false
    next.state.user = user
    next.commands = [.writeUser(user)]
  case .accountBehaviorDone(.failure(let error)):
    next.state.isRequesting = false
    next.state.loginError = error
  case .logout:
    guard state.isRequesting || state.user != nil else { return nil }
    if state.isRequesting { next.commands.append(.cancel(.login)) }
    if state.user != nil { next.commands.append(.deleteUser) }
    next.state.user = nil
  case .emailValid(let isValid):
    next.state.isEmailValid = isValid
  case .loadItems:
    guard !state.isLoading else { return nil }
    next.state.isLoading = true
    next.state.itemsError = nil
    next.commands = [.loadItems]
  case .loadItemsDone(.success(let items)):
    next.state.isLoading = false
    next.state.items = dictionary(of: items)
  case .loadItemsDone(.failure(let error)):
    next.state.isLoading = false
    next.state.itemsError = error
  case .commandCancelled(.login):
    next.state.isRequesting = false
  case .commandCancelled(.loadItems):
    next.state.isLoading = false
  }
  return next
}

func dictionary(of items: [Item]) -> [Int: Item] {
  Dictionary(items.map { ($0.id, $0) }) { $1 }
}
