import MockHTTP
import Pipelines
import Rehearsal
import RemoteLoading

extension Scene {
  static let github = Scene(
    "github",
    "A user's name is typed, and the user, the repositories and the avatar follow from it.",
    details: [
      "'type TEXT [EVERY]' types a name into the field, key by key, one each 100ms if nothing else is said; 'paste TEXT' writes it at once. Names are throttled, the latest of 500ms, and those that are the same as before dropped. One of less than three characters finds nobody. Any other is asked for, and a new one cancels the request before ('switchToLatest'). The count of repositories and the avatar follow from the user.",
      "'github' is a journal of all that happens on the way: typed, throttled, deduped, requested, cancelled, user. 'github.active' and 'github.requests' tell whether requests are under way: as a Bool that is on when one begins and off when one ends, which is too early when two overlap, and as a count, which is right.",
      "There are ann (12 repositories, after 300ms) and heckj (63, after 800ms). Nobody else is there (404, after 300ms). An avatar takes 1s. 'route GET /users/bob …' answers for another one.",
      "'scene github-variants' shows what other pipelines would make of the same names.",
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
    "Three pipelines for one name: the latest answer, any answer, and one that dies of an error.",
    details: [
      "'variants.type TEXT [EVERY]' and 'variants.paste TEXT' write into all three at once. 'latest' is the pipeline of 'scene github': a new name cancels the request before, and an error finds nobody. 'all' flattens by 'flatMap', so that every request answers, and a stale answer that comes last wins. 'fatal' replaces no error: the first one ends the subscription, and no name is asked for any more.",
      "There are ann (after 300ms) and heckj (after 800ms), and nobody else (404, after 300ms).",
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
  fileprivate func addField(
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
    command("\(prefix)paste", "Writes a name into the field at once.", .text("TEXT")) { write($0) }
  }

  fileprivate func addGitHubRoutes() {
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
