import HTTPTypes
import MockHTTP
import Rehearsal
import RemoteLoading

extension Scene {
  static let zooSearch = Scene(
    "zoo-search",
    "A search screen that shows the answer that came last, and its twin that shows the answer to the latest search.",
    details: [
      "'search TEXT' searches with both screens, 'hasty' and 'careful'. 'GET /search?text=…' is answered after 1s; 'route' changes that.",
      "This is the first of the bugs in docs/zoo.md. Most runs do not show it: 'rehearse explore' finds one that does.",
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
    "A screen that shows the user's name even after logging out, and its twin that does not.",
    details: [
      "'appear' requests the name for 'hasty' and 'careful'; 'log-out' cancels that. 'GET /me' is answered after 1s; 'route' changes that.",
      "The bug appears if the user logs out at the instant of the answer, before the screen receives it: 'rehearse explore' finds such a run.",
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

  static let zooPlaylist = Scene(
    "zoo-playlist",
    "A playlist that keeps a song's index during a request, and its twin that finds the song again.",
    details: [
      "'remove SONG' removes 'intro', 'waltz' or 'coda' from both, 'hasty' and 'careful'. 'DELETE /songs?song=…' is answered after 1s.",
      "The bug appears if the answers come in another order than the requests: the wrong song is removed, or the program crashes. 'explore' finds it.",
    ]
  ) { scene in
    scene.add(.delete("/songs", .status(204).after(.seconds(1))))
    let songs = ["intro", "waltz", "coda"]
    let hasty = StaleIndex.Hasty(songs: songs, delete: scene.delete("hasty"))
    let careful = StaleIndex.Careful(songs: songs, delete: scene.delete("careful"))
    scene.property("hasty.songs", of: hasty, \.songs)
    scene.property("careful.songs", of: careful, \.songs)
    scene.command(
      "remove",
      "Removes SONG from both playlists.",
      .choice("SONG", songs.map { ($0, $0) })
    ) {
      song in
      Task { try await careful.remove(song) }
      Task { try await hasty.remove(song) }
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

  fileprivate func delete(_ name: String) -> StaleIndex.Delete {
    let client = RemoteClient(transport(for: name))
    return { song in
      let url = "http://zoo.example/songs?song=\(percentEncoded(song))"
      _ = try await client.fetch(try RemoteRequest(.delete, url: url))
    }
  }
}

extension RemoteClient {
  fileprivate func text(_ path: String) async throws -> String {
    let response = try await fetch(try RemoteRequest(url: "http://zoo.example" + path))
    return String(decoding: response.body, as: UTF8.self)
  }
}
