import MockHTTP
import Rehearsal
import RemoteLoading

extension Scene {
  static let moviesModels = Scene(
    "movies-models",
    "Four view models of one list of movies: three that get errors wrong, and one that does not.",
    details: [
      "'models.choose E' chooses now_playing, popular, upcoming or top_rated, or their indexes 0 to 3, for all four at once. They begin with upcoming, and every list comes after 300ms. A route of your own makes one slow, or fail: 'route GET /3/movie/popular 404 after 300ms'.",
      "'light' looks at no status and takes every error for an empty list. 'replacing' puts an empty list in the place of an error. 'dying' tells the error, and nothing after it: its pipeline has ended, and nothing clears the error. These three flatten by 'flatMap' and cancel nothing, so that the answer that comes last wins, however stale. 'lasting' tells an error and goes on, keeps the movies meanwhile, and cancels what is not chosen any more.",
    ]
  ) { scene in
    for endpoint in Endpoint.allCases { scene.add(try endpoint.route()) }
    let models = MoviesModel.Pipeline.allCases.map { pipeline in
      let client = RemoteClient(scene.transport(for: pipeline.rawValue))
      let model = MoviesModel(MovieStore(client: client), pipeline)
      scene.property("\(pipeline).movies") { model.movies.map(\.title) }
      if pipeline == .dying || pipeline == .lasting {
        scene.property("\(pipeline).error") { model.error.map { "\($0)" } ?? "none" }
      }
      return model
    }
    scene.command(
      "models.choose",
      "Chooses the list that all four show.",
      .choice("ENDPOINT", Endpoint.byIndex.map { ($0.rawValue, $0) })
    ) { endpoint in
      for model in models { model.endpoint = endpoint }
    }
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
