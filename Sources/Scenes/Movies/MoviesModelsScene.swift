import MockHTTP
package import Rehearsal
import RemoteLoading

/// The scene `movies-models`: four view models of one list, its routes, and the command that selects a list.
extension Scene {
  package static let moviesModels = Scene(
    "movies-models",
    "Four view models of one list of movies: three that handle errors incorrectly, and one that is correct.",
    details: [
      "'models.choose E' selects now_playing, popular, upcoming or top_rated, or their indexes 0 to 3, for all four. They begin with upcoming, and every list comes after 300ms. A route makes one slow, or fail: 'route GET /3/movie/popular 404 after 300ms'.",
      "'light' ignores the status and turns every error into an empty list. 'replacing' replaces an error by an empty list. 'dying' reports the error and then nothing: its pipeline has ended, and the error is never cleared. These three use 'flatMap' and never cancel, so the answer that comes last wins, even if it is stale. 'lasting' reports an error and continues, keeps the movies meanwhile, and cancels a request when the selection changes.",
    ]
  ) { scene in
    let models = MoviesModel.Pipeline.allCases.map { pipeline in
      let client = RemoteClient(scene.transport(for: pipeline.rawValue))
      let model = MoviesModel(MovieStore(client: client), pipeline)
      scene.property("\(pipeline).movies") { model.movies.map(\.title) }
      if pipeline == .dying || pipeline == .lasting {
        scene.property("\(pipeline).error") { model.error.map { "\($0)" } ?? "none" }
      }
      return model
    }
    try scene.addMovieModels { endpoint in
      for model in models { model.endpoint = endpoint }
    }
  }
}

extension SceneBuilder {
  /// Adds the routes of all lists, and the command that selects one.
  package func addMovieModels(
    select: @escaping @MainActor @Sendable (Endpoint) -> Void
  ) throws {
    for endpoint in Endpoint.allCases { add(try endpoint.route()) }
    command(
      "models.choose",
      "Selects the list for all four.",
      .choice("ENDPOINT", Endpoint.byIndex.map { ($0.rawValue, $0) })
    ) { select($0) }
  }
}

extension Endpoint {
  fileprivate func route() throws -> Route {
    let movies = #"{"results": [{"id": 1, "title": "\#(title) One"}]}"#
    return .get(
      try PathTemplate(parsing: "/3/movie/\(rawValue)"),
      .json(movies).after(.milliseconds(300))
    )
  }
}
