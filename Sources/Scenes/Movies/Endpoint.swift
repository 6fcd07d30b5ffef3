/// A list of movies on TMDb.
package enum Endpoint: String, CaseIterable {
  case nowPlaying = "now_playing"
  case upcoming
  case popular
  case topRated = "top_rated"

  /// The endpoints by index, which differs from the order of declaration.
  package static let byIndex: [Endpoint] = [.nowPlaying, .popular, .upcoming, .topRated]

  /// Creates the endpoint with the index, nil if there is none.
  init?(index: Int) {
    guard Self.byIndex.indices.contains(index) else { return nil }
    self = Self.byIndex[index]
  }

  package var title: String {
    switch self {
    case .nowPlaying: "Now Playing"
    case .upcoming: "Upcoming"
    case .popular: "Popular"
    case .topRated: "Top Rated"
    }
  }
}
