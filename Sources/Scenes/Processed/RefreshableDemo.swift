import Loading

/// A list that loads when it appears and keeps its content during a refresh.
@MainActor protocol RefreshableDemo: AnyObject {
  var postsDriver: LoadDriver<LoadableState<[String]>> { get }
  func appear() async
  /// Refreshes and returns at the end. The list shows its spinner until then.
  func refresh() async
}

@MainActor final class RefreshableWrapperDemo: RefreshableDemo {
  @Loadable<[String]> private var posts
  private let blog = Blog()

  var postsDriver: LoadDriver<LoadableState<[String]>> { $posts.driver }

  func appear() async {
    await $posts.load { [blog] in try await blog.fetchPosts() }
  }

  func refresh() async {
    await $posts.load(silently: true) { [blog] in try await blog.fetchPosts() }
  }
}

@MainActor final class RefreshableClassDemo: RefreshableDemo, LoadableSupport {
  private var posts: LoadableState<[String]> = .absent
  private let blog = Blog()

  var postsDriver: LoadDriver<LoadableState<[String]>> { driver(of: \.posts) }

  func appear() async {
    await load(\.posts) { try await blog.fetchPosts() }
  }

  func refresh() async {
    await load(\.posts, silently: true) { try await blog.fetchPosts() }
  }
}

/// A blog with one more post at each request.
@MainActor private final class Blog {
  private var posts: [String] = []

  func fetchPosts() async throws -> [String] {
    try await Task.sleep(for: .seconds(2))
    posts.append("Post \(posts.count + 1)")
    return posts
  }
}
