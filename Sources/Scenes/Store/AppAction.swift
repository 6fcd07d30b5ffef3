/// An action: an event that changes the state. Only actions start side effects.
package enum AppAction: Equatable, Sendable {
  case login(email: String, password: String)
  case accountBehaviorDone(Result<User, AppError>)
  case logout
  case emailValid(Bool)
  case loadItems
  case loadItemsDone(Result<[Item], AppError>)
  case commandCancelled(AppCommand.ID)
}

/// Sets a field of the state without an action, like a text field's binding.
enum AppBinding: Equatable, Sendable {
  case email(String)
  case mode(AppState.Mode)
  /// The alert about a failed login was closed.
  case alertDismissed

  func write(_ state: inout AppState) {
    switch self {
    case .email(let email): state.email = email
    case .mode(let mode): state.mode = mode
    case .alertDismissed: state.loginError = nil
    }
  }
}

extension AppAction: CustomStringConvertible {
  /// The action as source code, without the password.
  package var description: String {
    switch self {
    case .login(let email, _): "login(\(email.quoted), password: •••)"
    case .accountBehaviorDone(.success(let user)): "accountBehaviorDone(user: \(user.email))"
    case .accountBehaviorDone(.failure(let error)): "accountBehaviorDone(error: \(error))"
    case .logout: "logout"
    case .emailValid(let isValid): "emailValid(\(isValid))"
    case .loadItems: "loadItems"
    case .loadItemsDone(.success(let items)): "loadItemsDone(items: \(items.count))"
    case .loadItemsDone(.failure(let error)): "loadItemsDone(error: \(error))"
    case .commandCancelled(let id): "commandCancelled(\(id))"
    }
  }
}
