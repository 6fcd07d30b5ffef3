public import Rehearsal

/// The scenes that come with Rehearse. Each uses only public API.
public enum Scenes {
  /// All scenes, in the order of `scenes`.
  public static let all: [Scene] = [
    .processed, .remoteContent, .playground, .github, .githubVariants, .movies, .moviesModels,
    .moviesImages, .moviesFutures, .store, .zooSearch, .zooAccount,
    .zooPlaylist,
  ]
}
