import FoundationPipelines
import Rehearsal
import RemoteLoading
import Scenes

/// The scene `store` with PokeMaster's requests, form check and exercise as they were published.
extension Scene {
  static let publishedStore = store.published(
    "PokeMaster's requests, its check of the form, and the exercise of its book",
    on: "'DispatchQueue.global()', 'DispatchQueue.main' and 'RunLoop.main'"
  ) { scene in
    try scene.addStores { name in
      let client = RemoteClient(scene.transport(for: name))
      return ({ start($0, client, done: $1) }, AccountChecker())
    }
    let exercise = DebounceExercise()
    scene.property("words.debounced", exercise.$debounced)
    scene.property("words.accumulated", exercise.$accumulated)
    scene.addWords { await exercise.typeSample() }
  }
}

/// Starts a command of the store with a request's publisher.
@MainActor private func start(
  _ command: AppCommand,
  _ client: RemoteClient,
  done: @escaping CommandPerforming.Done
) -> () -> Void {
  switch command {
  case .login(let email, let password):
    LoginRequest(email: email, password: password).publisher
      .start { done(.accountBehaviorDone($0)) }
  case .loadItems: LoadItemRequest.all(client).start { done(.loadItemsDone($0)) }
  case .writeUser, .deleteUser, .cancel: {}
  }
}

extension Publisher {
  /// Subscribes on the main queue for one result.
  ///
  /// - Returns: a function that cancels the subscription, which lives until then or until its end.
  @MainActor fileprivate func start(
    _ done: @escaping @MainActor (Result<Output, Failure>) -> Void
  ) -> () -> Void {
    let subscription = sink(
      receiveCompletion: { completion in
        if case .failure(let error) = completion { done(.failure(error)) }
      },
      receiveValue: { done(.success($0)) }
    )
    return subscription.cancel
  }
}
