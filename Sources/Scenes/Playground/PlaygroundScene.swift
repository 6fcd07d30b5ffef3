import MockHTTP
import Rehearsal
import RemoteLoading

extension Scene {
  static let playground = Scene(
    "playground",
    "A custom source with two classic bugs, and the same one without them.",
    details: [
      "'buggy.headline' is copied from the playground of RemoteContentView. Its token for 'already loading' is never cleared, so after a failure 'view buggy.headline retry' has no effect. Its cancel only clears the token, so a late answer still appears. 'fixed.headline' has neither bug.",
      "Both are answered after 1s. 'NAME.answer failure' makes later answers to one of them fail, 'NAME.answer success' makes them succeed again.",
    ]
  ) { scene in
    for name in ["buggy.headline", "fixed.headline"] {
      let path = try PathTemplate(parsing: "/\(name)")
      let client = RemoteClient(scene.transport(for: name))
      let url = "http://news.example/\(name)"
      let success = Route.get(path, .text("Hello").after(.seconds(1)))
      let failure = Route.get(path, .status(503).after(.seconds(1)))
      let server = scene.server
      let answer = SceneAction(
        "answer",
        "Sets the answer to later requests.",
        .choice("ANSWER", [("success", success), ("failure", failure)])
      ) { route in
        server.add(route)
      }
      scene.add(success)
      if name == "buggy.headline" {
        scene.content(name, try TokenHeadline(client, url: url), actions: [answer])
      } else {
        scene.content(name, try TaskHeadline(client, url: url), actions: [answer])
      }
    }
  }
}
