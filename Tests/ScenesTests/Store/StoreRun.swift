import MockHTTP
import RemoteLoading
import Staging

@testable import Scenes

/// A store on a stage that records its events with their times.
@MainActor final class StoreRun {
  let stage = Stage()
  let server = MockServer(seed: 1)
  let storage = FileStorage()
  let store: Store
  private(set) var lines: [String] = []

  init(compat: Bool = false, fetchItems: (() async throws -> [Item])? = nil) throws {
    let client = RemoteClient(MockTransport(server: server, clock: stage.clock))
    let library = ItemLibrary(client: client, base: ItemServer.url, ids: 1...3)
    for route in try ItemServer.routes(for: library.ids) { server.add(route) }
    let services = AppServices(
      logIn: logInAfterAWhile,
      fetchItems: fetchItems ?? library.fetchItems
    )
    let reducer: Reducer = compat ? CompatReducer(storage: storage).reduce : reduce
    store = Store(reduce: reducer, storage: storage, startCommand: services.start)
    store.observer = { [unowned self] in
      lines.append("\(stage.now) " + $0.description.split(separator: " ").joined(separator: " "))
    }
  }

  /// Returns the events that `body` causes.
  func lines(of body: (Store) -> Void) -> [String] {
    lines = []
    stage.enter {
      body(store)
      _ = stage.settle()
    }
    return lines
  }
}
