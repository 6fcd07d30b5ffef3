/// A side effect as a value. Reducers return commands, and the store performs them.
package enum AppCommand: Equatable, Sendable {
  case login(email: String, password: String)
  case writeUser(User)
  case deleteUser
  case loadItems
  /// Cancels the command with this identity; an action reports it.
  case cancel(ID)

  /// The identity for cancelling. One command of each can be in flight.
  package enum ID: String, CaseIterable, Sendable {
    case login, loadItems
  }

  /// Nil for a command that ends immediately.
  var id: ID? {
    switch self {
    case .login: .login
    case .loadItems: .loadItems
    case .writeUser, .deleteUser, .cancel: nil
    }
  }
}

extension AppCommand: CustomStringConvertible {
  package var description: String {
    switch self {
    case .login(let email, _): "login(\(email.quoted), password: •••)"
    case .writeUser(let user): "writeUser(\(user.email))"
    case .deleteUser: "deleteUser"
    case .loadItems: "loadItems"
    case .cancel(let id): "cancel(\(id))"
    }
  }
}
