public import Rehearsal

/// The systems that come with Rehearse, each an ordinary user of its libraries.
public enum Scenes {
  /// In the order in which `scenes` lists them.
  public static let all: [Scene] = [
    .processed, .remoteContent, .playground, .github, .githubVariants, .movies, .moviesModels,
    .moviesImages, .moviesFutures, .store, .zooSearch, .zooAccount,
    .zooPlaylist,
  ]
}
