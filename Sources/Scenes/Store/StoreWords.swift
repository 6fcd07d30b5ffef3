/// The actions that the shell can dispatch.
enum TypedAction: String, CaseIterable {
  case login, logout, loadItems

  func action(email: String, password: String) throws -> AppAction {
    switch self {
    case .login where email.isEmpty || password.isEmpty:
      throw Misuse("a login needs an email and a password")
    case .login: .login(email: email, password: password)
    case _ where !email.isEmpty: throw Misuse("'\(rawValue)' has no arguments")
    case .logout: .logout
    case .loadItems: .loadItems
    }
  }
}

/// The fields of the state that the shell can set.
enum TypedField: String, CaseIterable {
  case email, mode, alert

  func binding(to value: String) throws -> AppBinding {
    switch self {
    case .email: return .email(value)
    case .mode:
      guard let mode = AppState.Mode(rawValue: value) else {
        throw Misuse("the mode must be login or register")
      }
      return .mode(mode)
    case .alert:
      guard value == "dismissed" else { throw Misuse("an alert can only be dismissed") }
      return .alertDismissed
    }
  }
}

/// An invalid argument of a command.
struct Misuse: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
