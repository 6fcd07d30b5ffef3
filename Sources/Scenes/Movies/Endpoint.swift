/// A list of movies that TMDb has.
enum Endpoint: String, CaseIterable {
  case nowPlaying = "now_playing"
  case upcoming
  case popular
  case topRated = "top_rated"

  /// In the order of their indexes, which is not that of the declarations.
  static let byIndex: [Endpoint] = [.nowPlaying, .popular, .upcoming, .topRated]

  /// Nil where there is no such index.
  init?(index: Int) {
    guard Self.byIndex.indices.contains(index) else { return nil }
    self = Self.byIndex[index]
  }

  var title: String {
    switch self {
    case .nowPlaying: "Now Playing"
    case .upcoming: "Upcoming"
    case .popular: "Popular"
    case .topRated: "Top Rated"
    }
  }
}
