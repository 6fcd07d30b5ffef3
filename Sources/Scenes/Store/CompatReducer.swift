/// PokeMaster's own reducer, with its bugs.
///
/// Loaded items leave `isLoading` true, so they cannot be loaded again, and their errors are
/// ignored. The password `password` logs in before the server answers. Logging out does not cancel
/// a login in flight. The reducer writes files, so it is not pure.
@MainActor struct CompatReducer {
  let storage: FileStorage

  func reduce(_ state: AppState, _ action: AppAction) -> Reduction? {
    var next = Reduction(state: state)
    switch action {
    case .login(let email, let password):
      guard !state.isRequesting else { return nil }
      next.state.isRequesting = true
      if password == "password" { setUser(User(email: email), in: &next.state) }
      next.commands = [.login(email: email, password: password)]
    case .accountBehaviorDone(.success(let user)):
      next.state.isRequesting = false
      setUser(user, in: &next.state)
    case .accountBehaviorDone(.failure(let error)):
      next.state.isRequesting = false
      next.state.loginError = error
    case .logout:
      setUser(nil, in: &next.state)
      next.commands = [.deleteUser]
    case .emailValid(let isValid):
      next.state.isEmailValid = isValid
    case .loadItems:
      guard !state.isLoading else { return nil }
      next.state.isLoading = true
      next.commands = [.loadItems]
    case .loadItemsDone(.success(let items)):
      next.state.items = dictionary(of: items)
    case .loadItemsDone(.failure):
      break  // The error was only printed.
    case .commandCancelled:
      return nil  // Commands cannot be cancelled.
    }
    return next
  }

  private func setUser(_ user: User?, in state: inout AppState) {
    state.user = user
    storage.user = user
  }
}
