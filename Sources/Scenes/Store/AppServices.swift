import RemoteLoading

/// The services that perform commands.
@MainActor struct AppServices {
  var logIn: (_ email: String, _ password: String) async throws -> User
  var fetchItems: () async throws -> [Item]

  /// Starts a command in a task.
  func start(_ command: AppCommand, done: @escaping CommandPerforming.Done) -> () -> Void {
    let task = Task { done(await perform(command)) }
    return task.cancel
  }

  /// Performs a command.
  ///
  /// - Returns: the action that reports its result, nil if there is none, for example after a
  ///   cancellation.
  func perform(_ command: AppCommand) async -> AppAction? {
    switch command {
    case .login(let email, let password):
      await result { try await logIn(email, password) }.map { .accountBehaviorDone($0) }
    case .loadItems:
      await result { try await fetchItems() }.map { .loadItemsDone($0) }
    case .writeUser, .deleteUser, .cancel:
      nil  // Ends at once; the store performs these.
    }
  }

  private func result<Value>(
    of work: () async throws -> Value
  ) async -> Result<Value, AppError>? {
    do {
      return .success(try await work())
    } catch is CancellationError {
      return nil
    } catch {
      return .failure(AppError(error))
    }
  }
}

/// A way to perform the commands that take time.
package enum CommandPerforming {
  /// Receives the action that reports the result of a command; nil if there is none.
  package typealias Done = @MainActor (AppAction?) -> Void
  /// Starts a command, and returns a function that cancels it. A cancelled command may report
  /// nothing.
  package typealias Start = @MainActor (AppCommand, @escaping Done) -> () -> Void
}

extension AppError {
  /// Describes any error.
  package init(_ error: any Error) {
    switch error {
    case let error as AppError: self = error
    case let error as RemoteError: self = .networkingFailed(error.message)
    default: self = .networkingFailed("\(error)")
    }
  }
}

/// Logs in on the account server, simulated as in PokeMaster: it takes 1.5s and knows one password.
func logInAfterAWhile(email: String, password: String) async throws -> User {
  try await Task.sleep(for: .milliseconds(1500))
  return try userOnServer(email: email, password: password)
}

/// Returns the user on the account server.
///
/// - Throws: `passwordWrong`.
package func userOnServer(email: String, password: String) throws(AppError) -> User {
  guard password == "password" else { throw .passwordWrong }
  return User(email: email)
}

/// A library of items. Each item needs two requests; the first one's answer has the address for the
/// second. Loading waits for all items and fails with the first failure.
struct ItemLibrary: Sendable {
  let client: RemoteClient
  let base: String
  let ids: ClosedRange<Int>

  func fetchItems() async throws -> [Item] {
    try await withThrowingTaskGroup(of: Item.self) { group in
      for id in ids { group.addTask { try await fetchItem(id) } }
      var items: [Item] = []
      for try await item in group { items.append(item) }
      return items.sorted { $0.id < $1.id }
    }
  }

  private func fetchItem(_ id: Int) async throws -> Item {
    let page = try await fetch(Page.self, "/items/\(id)")
    let species = try await fetch(Species.self, page.species)
    return Item(id: id, name: page.name, color: species.color)
  }

  private func fetch<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value {
    try await client.fetch(type, RemoteRequest(url: base + path))
  }

  private typealias Page = ItemServer.Page
  private typealias Species = ItemServer.Species
}
