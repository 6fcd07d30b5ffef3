import MockHTTP
package import Rehearsal
package import RemoteLoading

/// The scene `movies`: the list, its commands, and the answers of its server.
extension Scene {
  package static let movies = Scene(
    "movies",
    "Four lists of movies, one of them shown, as TMDb has them.",
    details: [
      "'movies.endpoint E' shows another list: now_playing, popular, upcoming or top_rated, or their indexes 0 to 3. It begins with upcoming. Every list comes after 300ms.",
      "'movies.answer A' sets the answer to later requests: success, refused, missing (404) or malformed (movies without a title). 'movies.base URL' changes the server: to one without such lists, or to an invalid URL. An error prints its case, its code if there is one, and its message.",
      "Related scenes: 'scene movies-models', four view models; 'scene movies-images', two image caches; and 'scene movies-futures', the publishers of the lists.",
    ]
  ) { scene in
    let store = MovieStore(client: RemoteClient(scene.transport(for: "movies")))
    let list = MovieList(store)
    try scene.addMovies(
      list,
      count: { list.loadCount },
      select: { list.endpoint = $0 },
      move: { list.store.base = $0 }
    )
  }
}

extension SceneBuilder {
  /// Adds a list of movies, its commands and its server.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - count: returns the number of loads that it has begun.
  ///   - select: shows another list.
  ///   - move: changes the server.
  /// - Throws: an error if a route has an invalid path.
  package func addMovies(
    _ list: some RemoteContent<[Movie], Double?>,
    count: @escaping () -> Int,
    select: @escaping @MainActor @Sendable (Endpoint) -> Void,
    move: @escaping @MainActor @Sendable (String) -> Void
  ) throws {
    for endpoint in Endpoint.allCases { add(try endpoint.route(.success)) }
    let server = server
    content(
      "movies",
      list,
      count: count,
      actions: [
        SceneAction(
          "endpoint",
          "Shows another list.",
          .choice("ENDPOINT", Endpoint.byIndex.map { ($0.rawValue, $0) })
        ) { select($0) },
        SceneAction(
          "answer",
          "Sets the answer to later requests.",
          .choice("ANSWER", MoviesAnswer.allCases.map { ($0.rawValue, $0) })
        ) { answer in
          for endpoint in Endpoint.allCases { server.add(try endpoint.route(answer)) }
        },
        SceneAction("base", "Changes the server.", .text("URL")) { move($0) },
      ]
    )
  }
}

/// An answer of the movie server.
private enum MoviesAnswer: String, CaseIterable {
  case success, refused, missing, malformed
}

extension Endpoint {
  fileprivate func route(_ answer: MoviesAnswer) throws -> Route {
    let path = try PathTemplate(parsing: "/3/movie/\(rawValue)")
    return .get(path, scripted(answer).after(.milliseconds(300)))
  }

  private func scripted(_ answer: MoviesAnswer) -> ScriptedAnswer {
    switch answer {
    case .success: .json(#"{"results": [{"id": 1, "title": "\#(title) One"}]}"#)
    case .refused: .fault(.refused)
    case .missing: .status(404)
    case .malformed: .json(#"{"results": [{"id": 1}]}"#)
    }
  }
}
