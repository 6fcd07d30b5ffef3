import FoundationPipelines
import Rehearsal
import RemoteLoading
import Scenes

/// The scenes `movies` and `movies-models` with CombineFetchAPI's store and view model as they were published.
extension Scene {
  static let publishedMovies = movies.published(
    "the movie store of CombineFetchAPI",
    on: "'RunLoop.main'"
  ) { scene in
    let store = TMDbStore(client: RemoteClient(scene.transport(for: "movies")))
    let list = MovieListController(store)
    try scene.addMovies(
      list,
      count: { list.loadCount },
      select: { list.endpoint = $0 },
      move: { list.movieAPI.baseAPIURL = $0 }
    )
  }

  static let publishedMoviesModels = moviesModels.published(
    "the movie store and the view model of CombineFetchAPI",
    on: "'RunLoop.main'"
  ) { scene in
    let models = MoviesViewModel.Pipeline.allCases.map { pipeline in
      let client = RemoteClient(scene.transport(for: pipeline.rawValue))
      let model = MoviesViewModel(TMDbStore(client: client), pipeline)
      scene.property("\(pipeline).movies", model.$movies.map { $0.map(\.title) })
      if pipeline == .dying || pipeline == .lasting {
        scene.property(
          "\(pipeline).error",
          model.$moviesError.map { $0.map { "\($0)" } ?? "none" }
        )
      }
      return model
    }
    try scene.addMovieModels { endpoint in
      for model in models { model.endpoint = endpoint }
    }
  }
}
