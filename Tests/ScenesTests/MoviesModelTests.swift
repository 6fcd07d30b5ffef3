import MockHTTP
import RemoteLoading
import Testing

@testable import Scenes

@Suite struct MoviesModelTests {
  private static let missing = "error responseError 404: bad response code"

  @Test(
    arguments: [
      // An error becomes an empty list and is not reported.
      (.light, ["1.3s  none", "2.3s  Top Rated"]),
      (.replacing, ["1.3s  none", "2.3s  Top Rated"]),
      // The first error ends the pipeline and stays.
      (.dying, ["1.3s  \(missing)"]),
      (.lasting, ["1.3s  \(missing)", "2.3s  Top Rated", "2.3s  no error"]),
    ] as [(MoviesModel.Pipeline, [String])]
  )
  func `each pipeline handles errors`(pipeline: MoviesModel.Pipeline, expected: [String]) throws {
    let lines = try played(pipeline) { model, scene in
      scene.add(.get("/3/movie/popular", .status(404).after(.milliseconds(300))))
      scene.at(1_000) { model.endpoint = .popular }
      scene.at(2_000) { model.endpoint = .topRated }
    }
    #expect(lines == ["0.3s  Upcoming"] + expected)
  }

  @Test(
    arguments: [
      (.light, ["Top Rated", "Popular"]), (.replacing, ["Top Rated", "Popular"]),
      (.dying, ["Top Rated", "Popular"]), (.lasting, ["Top Rated"]),
    ] as [(MoviesModel.Pipeline, [String])]
  )
  func `the later of two answers wins unless the earlier request is cancelled`(
    pipeline: MoviesModel.Pipeline,
    titles: [String]
  ) throws {
    let lines = try played(pipeline) { model, scene in
      scene.add(.get("/3/movie/popular", movies(.popular).after(.seconds(2))))
      scene.at(1_000) { model.endpoint = .popular }
      scene.at(1_500) { model.endpoint = .topRated }
    }
    #expect(
      lines == ["0.3s  Upcoming"] + zip(["1.8s", "3s"], titles).map { "\($0)  \($1)" }
    )
  }

  @Test func `light ignores the status`() throws {
    let lines = try played(.light) { _, scene in
      scene.add(
        .get("/3/movie/upcoming", .status(500).json(#"{"results": [{"id": 1, "title": "M"}]}"#))
      )
    }
    #expect(lines == ["0s  M"])
  }

  private func played(
    _ pipeline: MoviesModel.Pipeline,
    _ script: @MainActor (MoviesModel, SceneStage) -> Void
  ) throws -> [String] {
    try SceneStage.play { scene in
      for endpoint in Endpoint.allCases {
        let path = try PathTemplate(parsing: "/3/movie/\(endpoint.rawValue)")
        scene.add(.get(path, movies(endpoint).after(.milliseconds(300))))
      }
      let model = MoviesModel(MovieStore(client: scene.client), pipeline)
      let watches = Watches(on: scene.stage)
      watches.of({ model.movies.first?.title ?? "none" }, scene.note)
      watches.of({ model.error.map { "error \($0)" } ?? "no error" }, scene.note)
      script(model, scene)
      watches.kept = [model]
      return watches
    }
  }

  private func movies(_ endpoint: Endpoint) -> ScriptedAnswer {
    .json(#"{"results": [{"id": 1, "title": "\#(endpoint.title)"}]}"#)
  }
}
