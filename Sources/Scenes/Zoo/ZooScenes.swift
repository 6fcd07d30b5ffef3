import MockHTTP
import Rehearsal
import RemoteLoading

extension Scene {
  static let zooSearch = Scene(
    "zoo-search",
    "A search screen that shows the answer that came last, and its twin that shows the latest one asked for.",
    details: [
      "'search TEXT' asks both, 'hasty' and 'careful'. 'GET /search?text=…' is answered after 1s; 'route' says otherwise.",
      "It is the first of the bugs in docs/zoo.md, which most runs do not show: 'rehearse explore' finds one that does.",
    ]
  ) { scene in
    scene.add(.get("/search", .text("all about {query.text}").after(.seconds(1))))
    let hasty = StaleResponse.Hasty(find: scene.find("hasty"))
    let careful = StaleResponse.Careful(find: scene.find("careful"))
    scene.property("hasty.results", of: hasty, \.results)
    scene.property("careful.results", of: careful, \.results)
    scene.command("search", "Types TEXT into both screens.", .text("TEXT")) { text in
      Task { try await hasty.search(text) }
      Task { try await careful.search(text) }
    }
  }

  static let zooAccount = Scene(
    "zoo-account",
    "A screen that names whoever is logged in, also when they have just left, and its twin that does not.",
    details: [
      "'appear' asks for the name, for 'hasty' and for 'careful'; 'log-out' cancels that. 'GET /me' is answered after 1s; 'route' says otherwise.",
      "The bug shows when somebody logs out at the instant of the answer, and that comes first: 'rehearse explore' finds it.",
    ]
  ) { scene in
    scene.add(.get("/me", .text("Ada").after(.seconds(1))))
    let hasty = UnwantedWrite.Hasty(fetch: scene.fetch("/me", for: "hasty"))
    let careful = UnwantedWrite.Careful(fetch: scene.fetch("/me", for: "careful"))
    scene.property("hasty.name", of: hasty, \.name)
    scene.property("careful.name", of: careful, \.name)
    scene.command("appear", "Shows both screens.") {
      hasty.appear()
      careful.appear()
    }
    scene.command("log-out", "Logs out.") {
      hasty.logOut()
      careful.logOut()
    }
  }
}

extension SceneBuilder {
  fileprivate func find(_ name: String) -> StaleResponse.Find {
    let client = RemoteClient(transport(for: name))
    return { text in try await client.text("/search?text=\(percentEncoded(text))") }
  }

  fileprivate func fetch(_ path: String, for name: String) -> UnwantedWrite.Fetch {
    let client = RemoteClient(transport(for: name))
    return { try await client.text(path) }
  }
}

extension RemoteClient {
  fileprivate func text(_ path: String) async throws -> String {
    let response = try await fetch(try RemoteRequest(url: "http://zoo.example" + path))
    return String(decoding: response.body, as: UTF8.self)
  }
}
