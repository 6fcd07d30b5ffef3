/// A side effect as a value: reducers return it, the store carries it out.
enum AppCommand: Equatable, Sendable {
  case login(email: String, password: String)
  case writeUser(User)
  case deleteUser
  case loadItems
  /// Ends the command of this identity, which is told by an action.
  case cancel(ID)

  /// What a command is cancelled by. One of each can be in flight.
  enum ID: String, CaseIterable, Sendable {
    case login, loadItems
  }

  /// Nil for what is over at once.
  var id: ID? {
    switch self {
    case .login: .login
    case .loadItems: .loadItems
    case .writeUser, .deleteUser, .cancel: nil
    }
  }
}

extension AppCommand: CustomStringConvertible {
  var description: String {
    switch self {
    case .login(let email, _): "login(\(email.quoted), password: •••)"
    case .writeUser(let user): "writeUser(\(user.email))"
    case .deleteUser: "deleteUser"
    case .loadItems: "loadItems"
    case .cancel(let id): "cancel(\(id))"
    }
  }
}
