import RemoteLoading

/// The services that perform commands.
@MainActor struct AppServices {
  var logIn: (_ email: String, _ password: String) async throws -> User
  var fetchItems: () async throws -> [Item]
  let storage: FileStorage

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
    } catch let error as AppError {
      return .failure(error)
    } catch let error as RemoteError {
      return .failure(.networkingFailed(error.message))
    } catch {
      return .failure(.networkingFailed("\(error)"))
    }
  }
}

/// Logs in on the account server, simulated as in PokeMaster: it takes 1.5s and knows one password.
func logInAfterAWhile(email: String, password: String) async throws -> User {
  try await Task.sleep(for: .milliseconds(1500))
  guard password == "password" else { throw AppError.passwordWrong }
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

  private struct Page: Decodable {
    let name: String
    let species: String
  }

  private struct Species: Decodable {
    let color: String
  }
}
