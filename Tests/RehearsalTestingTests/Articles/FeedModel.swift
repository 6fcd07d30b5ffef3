import Loading

@MainActor final class FeedModel {
  @Loadable<[String]> var posts

  /// Starts a load. A load in flight is cancelled, and its late answer is dropped.
  func refresh(from server: @escaping @MainActor () async throws -> [String]) {
    $posts.load { try await server() }
  }

  var title: String {
    switch posts {
    case .absent: "Pull to load"
    case .loading: "Loading …"
    case .error(let error): "Failed: \(error)"
    case .loaded(let posts): "\(posts.count) posts"
    }
  }
}
