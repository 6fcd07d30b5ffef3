import RemoteLoading

/// What commands are carried out with.
@MainActor struct AppServices {
  var logIn: (_ email: String, _ password: String) async throws -> User
  var fetchItems: () async throws -> [Item]
  let storage: FileStorage

  /// Carries a command out.
  ///
  /// - Returns: the action that tells how it went; nil where there is nothing to tell, as when it was
  ///   cancelled.
  func perform(_ command: AppCommand) async -> AppAction? {
    switch command {
    case .login(let email, let password):
      await result { try await logIn(email, password) }.map { .accountBehaviorDone($0) }
    case .loadItems:
      await result { try await fetchItems() }.map { .loadItemsDone($0) }
    case .writeUser, .deleteUser, .cancel:
      nil  // Over at once; the store has seen to them.
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

/// The account's server, simulated as in PokeMaster: it takes 1.5s and knows one password.
func logInAfterAWhile(email: String, password: String) async throws -> User {
  try await Task.sleep(for: .milliseconds(1500))
  guard password == "password" else { throw AppError.passwordWrong }
  return User(email: email)
}

/// Fetches each item by two requests, the second of which the first one's answer names, and waits
/// for all of them: the first failure is the whole's, the slowest one decides when it is over.
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
