/// The complete state of the app.
package struct AppState: Equatable, Sendable {
  package enum Mode: String, CaseIterable, Sendable {
    case login, register
  }

  var mode = Mode.login
  var email = ""
  var isEmailValid = false
  var isRequesting = false
  var user: User?
  var loginError: AppError?
  var isLoading = false
  var items: [Int: Item] = [:]
  var itemsError: AppError?

  /// The fields with their values, in the order of declaration.
  var fields: [(name: String, value: String)] {
    [
      ("mode", mode.rawValue),
      ("email", email.quoted),
      ("emailValid", "\(isEmailValid)"),
      ("requesting", "\(isRequesting)"),
      ("user", user?.email ?? "none"),
      ("loginError", loginError?.description ?? "none"),
      ("loading", "\(isLoading)"),
      ("items", items.isEmpty ? "none" : itemList),
      ("itemsError", itemsError?.description ?? "none"),
    ]
  }

  private var itemList: String {
    items.values.sorted { $0.id < $1.id }.map(\.description).joined(separator: ", ")
  }

  /// Returns the fields that differ, as `requesting  false → true`.
  static func difference(from old: AppState, to new: AppState) -> [String] {
    zip(old.fields, new.fields).compactMap { old, new in
      old.value == new.value ? nil : "\(new.name)  \(old.value) → \(new.value)"
    }
  }
}

package struct User: Hashable, Sendable {
  let email: String

  package init(email: String) { self.email = email }
}

package struct Item: Hashable, Sendable, CustomStringConvertible {
  let id: Int
  let name: String
  let color: String

  package init(id: Int, name: String, color: String) {
    (self.id, self.name, self.color) = (id, name, color)
  }

  package var description: String { "\(name) (\(color))" }
}

/// An error, as an alert shows it.
package enum AppError: Error, Hashable, CustomStringConvertible {
  case passwordWrong
  case networkingFailed(String)

  package var description: String {
    switch self {
    case .passwordWrong: "the password is wrong"
    case .networkingFailed(let reason): "the network failed: \(reason)"
    }
  }
}

extension String {
  var quoted: String { "\"\(self)\"" }
}
