import Rehearsal
import SearchFeature
import URLSessionHTTP

/// The scenes of this app.
package enum SearchScenes {
  package static let all = [
    Scene("search", "The search screen.") { scene in
      let model = SearchModel(client: client(in: scene))
      show(model, in: scene)
      scene.command("again", "Taps 'Try again'.") { await model.retry() }
    },
    Scene("hasty", "The search screen of release 1.0, which could show stale books.") { scene in
      let model = HastySearchModel(client: client(in: scene))
      show(model, in: scene)
      scene.command("again", "Taps 'Try again'.") { model.search() }
    },
  ]

  /// Returns the app's own client with a mock catalogue, which has a book about everything.
  @MainActor private static func client(in scene: SceneBuilder) -> BookClient {
    let books = #"[{"title": "All about {query.title}", "author": "A. Nonymous"}]"#
    scene.add(.get("/search", .json(books).after(.milliseconds(500))))
    return BookClient(session: .rehearsing(scene.server, on: scene.stage))
  }

  @MainActor private static func show(_ model: some SearchScreen, in scene: SceneBuilder) {
    scene.property("text", of: model, \.text)
    scene.property("books") { model.books.map(\.title) }
    scene.property("isSearching") { model.isSearching }
    scene.property("message") { model.message }
    scene.command("type", "Types into the search field.", .text("TEXT")) { model.text = $0 }
  }
}

@MainActor private protocol SearchScreen: AnyObject, Sendable {
  var text: String { get set }
  var books: [Book] { get }
  var isSearching: Bool { get }
  var message: String? { get }
}

extension SearchModel: SearchScreen {}
extension HastySearchModel: SearchScreen {}
