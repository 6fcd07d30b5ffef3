import MockHTTP
import Pipelines
package import Rehearsal
import RemoteLoading

extension Scene {
  package static let github = Scene(
    "github",
    "A search field for GitHub users, with their repositories and avatar.",
    details: [
      "'type TEXT [EVERY]' types a name into the field, key by key, every 100ms by default; 'paste TEXT' enters it at once. Names are throttled to the latest of 500ms, and repeated ones are dropped. A name of less than three characters finds no user. Every other name is looked up, and a new one cancels the previous request ('switchToLatest'). The count of repositories and the avatar follow from the user.",
      "'github' is a log of every step: typed, throttled, deduped, requested, cancelled, user. 'github.active' and 'github.requests' tell whether requests are in flight. 'active' is a Bool that is set at each start and cleared at each end, so it is cleared too early if two overlap. 'requests' is a count, which is correct.",
      "The users are ann (12 repositories, after 300ms) and heckj (63, after 800ms). Other names give 404 after 300ms. An avatar takes 1s. 'route GET /users/bob …' adds another user.",
      "'scene github-variants' shows other pipelines for the same names.",
    ]
  ) { scene in
    scene.addGitHubRoutes()
    let journal = scene.journal("github")
    let activity = NetworkActivity(log: journal.note)
    let client = RemoteClient(scene.transport(for: "github"))
    let model = GitHubModel(
      GitHubAPI(client: client, activity: activity),
      on: StageScheduler(scene.stage),
      log: journal.note
    )
    scene.property("github.count", of: model, \.repositoryCount)
    scene.property("github.avatar") { model.avatar?.description ?? "blank" }
    scene.property("github.active", of: activity, \.isOn)
    scene.property("github.requests", of: activity, \.count)
    scene.addField("") { model.username = $0 }
  }

  static let githubVariants = Scene(
    "github-variants",
    "Three pipelines for one name: the latest answer, any answer, and one that an error ends.",
    details: [
      "'variants.type TEXT [EVERY]' and 'variants.paste TEXT' enter text into all three. 'latest' is the pipeline of 'scene github': a new name cancels the previous request, and an error gives an empty list. 'all' uses 'flatMap', so every request delivers, and a stale answer that comes last wins. 'fatal' does not replace errors: the first one ends the subscription, and no later name is looked up.",
      "The users are ann (after 300ms) and heckj (after 800ms). Other names give 404 after 300ms.",
    ]
  ) { scene in
    scene.addGitHubRoutes()
    let variants: [(String, GitHubModel.Flattening, GitHubModel.Failures)] = [
      ("latest", .latest, .replaced), ("all", .all, .replaced), ("fatal", .latest, .fatal),
    ]
    let models = variants.map { name, flattening, failures in
      let activity = NetworkActivity(log: scene.journal(name).note)
      let client = RemoteClient(scene.transport(for: name))
      let model = GitHubModel(
        GitHubAPI(client: client, activity: activity),
        on: StageScheduler(scene.stage),
        flattening: flattening,
        failures: failures
      )
      scene.property("\(name).user") { model.users.first?.login ?? "nobody" }
      scene.property("\(name).dead", of: model, \.isDead)
      return model
    }
    scene.addField("variants.") { name in
      for model in models { model.username = name }
    }
  }
}

extension SceneBuilder {
  /// Adds the commands `type` and `paste`, which write the text of a field.
  package func addField(
    _ prefix: String,
    _ write: @escaping @MainActor @Sendable (String) -> Void
  ) {
    let keyboard = Keyboard(on: stage)
    command(
      "\(prefix)type",
      "Types a name into the field, key by key.",
      .text("TEXT"),
      .duration("EVERY").defaulting(to: .milliseconds(100))
    ) { text, interval in
      keyboard.type(text, every: interval, into: write)
    }
    command("\(prefix)paste", "Enters a name into the field at once.", .text("TEXT")) { write($0) }
  }

  /// Adds the users of the scene, with their avatars.
  package func addGitHubRoutes() {
    add(
      .get("/users/{name}", .status(404).after(.milliseconds(300))),
      .get("/users/ann", user("ann", repositories: 12).after(.milliseconds(300))),
      .get("/users/heckj", user("heckj", repositories: 63).after(.milliseconds(800))),
      .get(
        "/avatars/{name}",
        .status(200).bytes(avatarBytes, type: "image/png").after(.seconds(1))
      )
    )
  }

  private func user(_ login: String, repositories: Int) -> ScriptedAnswer {
    let avatar = "https://avatars.example/avatars/\(login)"
    return .json(
      #"{"login": "\#(login)", "public_repos": \#(repositories), "avatar_url": "\#(avatar)"}"#
    )
  }
}
