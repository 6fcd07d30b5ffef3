#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import FoundationPipelines
import MockHTTP
import Staging
import Testing
import URLSessionHTTP

/// `dataTaskPublisher` of a session on a stage, in the pipelines of published code.
@MainActor @Suite struct DataTaskPublisherTests {
  private let scene = Scene()

  private struct Book: Decodable {
    let title: String
  }

  /// Publishes the title of a book, or the error.
  private func title(_ session: URLSession, _ path: String) throws -> AnyPublisher<String, Never> {
    session.dataTaskPublisher(for: try #require(URL(string: "http://books.example\(path)")))
      .tryMap { data, response -> Data in
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
          throw URLError(.badServerResponse)
        }
        return data
      }
      .decode(type: Book.self, decoder: JSONDecoder())
      .map(\.title)
      .catch { Just(($0 as? URLError).map { "\($0.code.rawValue)" } ?? "no book") }
      .receive(on: RunLoop.main)
      .eraseToAnyPublisher()
  }

  @Test func `an answer is decoded and arrives on the main run loop at its virtual instant`() throws
  {
    scene.answer("/1", 200, #"{"title": "Dune"}"#, after: .seconds(2))
    scene.answer("/2", 404, after: .seconds(1))
    scene.answer("/3", 200, "{}", after: .seconds(3))
    scene.fail("/4", .refused, after: .seconds(4))
    var subscriptions: Set<AnyCancellable> = []
    try scene.stage.enter { [scene] in
      let session = URLSession.rehearsing(scene.server, on: scene.stage)
      for number in 1...4 {
        try title(session, "/\(number)")
          .sink { scene.note("\(number) \($0)\(Thread.isMainThread ? " main" : "")") }
          .store(in: &subscriptions)
      }
    }
    scene.stage.settle()
    #expect(
      scene.log.lines == [
        "1s 2 -1011 main", "2s 1 Dune main", "3s 3 no book main", "4s 4 -1004 main",
      ]
    )
  }

  @Test func `cancelling the subscription cancels the request`() throws {
    scene.answer("/1", 200, #"{"title": "Dune"}"#, after: .seconds(2))
    var subscription: AnyCancellable?
    try scene.stage.enter { [scene] in
      let session = URLSession.rehearsing(scene.server, on: scene.stage)
      subscription = try title(session, "/1").sink { scene.note($0) }
    }
    scene.stage.advance(by: .seconds(1))
    scene.stage.enter { subscription?.cancel() }
    scene.stage.settle()
    #expect(scene.log.lines == [])
    #expect(scene.fates == ["GET /1 cancelled at 1s"])
  }
}
#endif
