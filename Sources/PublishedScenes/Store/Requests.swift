import Dispatch
import FoundationPipelines
import RemoteLoading
import Scenes

/// The simulated login of PokeMaster: 1.5s on a global queue.
struct LoginRequest {
  let email: String
  let password: String

  var publisher: AnyPublisher<User, AppError> {
    var work: DispatchWorkItem?
    return Future<User, AppError> { promise in
      let item = DispatchWorkItem {
        promise(
          Result { () throws(AppError) in try userOnServer(email: email, password: password) }
        )
      }
      work = item
      DispatchQueue.global().asyncAfter(deadline: .now() + 1.5, execute: item)
    }
    .receive(on: DispatchQueue.main)
    // PokeMaster cannot cancel a login.
    .handleEvents(receiveCancel: { work?.cancel() })
    .eraseToAnyPublisher()
  }
}

/// The simulated check of an email of PokeMaster: 0.5s on a global queue.
struct EmailCheckingRequest {
  let email: String

  var publisher: AnyPublisher<Bool, Never> {
    Future<Bool, Never> { promise in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) {
        promise(.success(isFree(email)))
      }
    }
    .receive(on: DispatchQueue.main)
    .eraseToAnyPublisher()
  }
}

/// The two chained requests for one item.
struct LoadItemRequest {
  let id: Int
  let client: RemoteClient

  /// Publishes all items in one list.
  static func all(_ client: RemoteClient) -> AnyPublisher<[Item], AppError> {
    ItemServer.allItems.map { LoadItemRequest(id: $0, client: client).publisher }.zipAll
      .receive(on: DispatchQueue.main)
      .eraseToAnyPublisher()
  }

  private var publisher: AnyPublisher<Item, AppError> {
    fetch(ItemServer.Page.self, "/items/\(id)")
      .flatMap { page in
        fetch(ItemServer.Species.self, page.species).map { (page, $0) }
      }
      .map { Item(id: id, name: $0.name, color: $1.color) }
      .mapError { AppError($0) }
      .eraseToAnyPublisher()
  }

  private func fetch<Value: Decodable>(
    _ type: Value.Type,
    _ path: String
  ) -> AnyPublisher<Value, any Error> {
    client.dataTaskPublisher(for: ItemServer.url + path)
      .tryMap { try $0.successfulBody }
      .decode(type: type, decoder: ResponseDecoder())
      .eraseToAnyPublisher()
  }
}

extension Array where Element: Publisher {
  /// Publishes the values of all publishers in one list.
  var zipAll: AnyPublisher<[Element.Output], Element.Failure> {
    let initial = Just([Element.Output]())
      .setFailureType(to: Element.Failure.self)
      .eraseToAnyPublisher()
    return reduce(into: initial) { result, publisher in
      result = result.zip(publisher) { $0 + [$1] }.eraseToAnyPublisher()
    }
  }
}
