import MockHTTP
import Pipelines
import RemoteLoading
import Testing

@testable import Scenes

@Suite struct GitHubModelTests {
  @Test func `a name is throttled, looked up once, and leads to count and avatar`() {
    let lines = played(showing: .all) { model, scene in
      for (index, name) in ["h", "he", "hec", "heck", "ann"].enumerated() {
        scene.at(1_000 + index * 100) { model.username = name }
      }
    }
    #expect(
      lines == [
        "0s  typed \"\"", "0s  throttled \"\"", "0s  deduped \"\"", "0s  user none",
        "1s  typed \"h\"", "1s  throttled \"h\"", "1s  deduped \"h\"", "1s  user none",
        "1.1s  typed \"he\"", "1.2s  typed \"hec\"", "1.3s  typed \"heck\"", "1.4s  typed \"ann\"",
        "1.5s  throttled \"ann\"", "1.5s  deduped \"ann\"", "1.5s  requested user ann",
        "1.8s  user ann", "1.8s  requested avatar of ann", "1.8s  count 12",
        "2.8s  avatar png 4 × 4, 105 bytes",
      ]
    )
  }

  @Test func `activity as a Bool is cleared too early, and as a count it is correct`() {
    let lines = played(showing: .activity) { model, scene in
      scene.at(0) { model.username = "ann" }
      // ann's avatar is in flight until 1.3 s, the user heckj from 0.6 s to 2.6 s.
      scene.at(600) { model.username = "heckj" }
    }
    #expect(
      lines == [
        "0s  active true", "0s  requests 1", "0.6s  requests 2",
        "1.3s  active false", "1.3s  requests 1",
        "2.6s  active true", "3.6s  active false", "3.6s  requests 0",
      ]
    )
  }

  @Test func `switchToLatest cancels a stale answer, and flatMap delivers it`() {
    let script: Script = { model, scene in
      scene.at(0) { model.username = "heckj" }
      scene.at(600) { model.username = "ann" }
    }
    #expect(
      played(showing: .users, script) == [
        "0s  requested user heckj", "0.6s  cancelled user heckj", "0.6s  requested user ann",
        "0.9s  user ann", "0.9s  requested avatar of ann",
      ]
    )
    #expect(
      played(flattening: .all, showing: .users, script) == [
        "0s  requested user heckj", "0.6s  requested user ann",
        "0.9s  user ann", "0.9s  requested avatar of ann",
        "2s  user heckj", "2s  requested avatar of heckj",
      ]
    )
  }

  @Test func `after a replaced error the next name is looked up, after a fatal one it is not`() {
    let script: Script = { model, scene in
      scene.at(0) { model.username = "bob" }
      scene.at(600) { model.username = "ann" }
    }
    #expect(
      played(showing: .users, script) == [
        "0s  requested user bob", "0.3s  user none",
        "0.6s  requested user ann", "0.9s  user ann", "0.9s  requested avatar of ann",
      ]
    )
    #expect(
      played(failures: .fatal, showing: .users, script) == [
        "0s  requested user bob", "0.3s  dead: http 404",
      ]
    )
  }

  @Test(arguments: [("bob", "none"), ("ann", "ann")])
  func `a repeated name is not looked up again`(name: String, user: String) {
    let lines = played(showing: .users) { model, scene in
      scene.at(0) { model.username = name }
      scene.at(1_000) { model.username = name }
    }
    #expect(lines.prefix(2) == ["0s  requested user \(name)", "0.3s  user \(user)"])
    #expect(lines.dropFirst(2).allSatisfy { $0.contains("avatar") })
  }

  @Test func `a name that is reverted within the window changes nothing`() {
    let lines = played(showing: .users) { model, scene in
      scene.at(0) { model.username = "bob" }
      scene.at(100) { model.username = "ann" }
      scene.at(200) { model.username = "bob" }
    }
    #expect(lines == ["0s  requested user bob", "0.3s  user none"])
  }

  @Test func `a name that is too short cancels the request and finds no user`() {
    let lines = played(showing: .users) { model, scene in
      scene.at(0) { model.username = "heckj" }
      scene.at(600) { model.username = "he" }
    }
    #expect(
      lines == ["0s  requested user heckj", "0.6s  cancelled user heckj", "0.6s  user none"]
    )
  }

  @Test(arguments: ["a/b", "a b?c", "ä#ö", "..%"])
  func `every typed text is one segment of the path`(name: String) {
    let lines = played(showing: .users) { model, scene in
      scene.at(0) { model.username = name }
    }
    #expect(lines == ["0s  requested user \(name)", "0.3s  user none"])
  }

  private typealias Script = @MainActor (GitHubModel, SceneStage) -> Void

  private enum Showing {
    case all, users, activity
  }

  private func played(
    flattening: GitHubModel.Flattening = .latest,
    failures: GitHubModel.Failures = .replaced,
    showing: Showing,
    _ script: Script
  ) -> [String] {
    SceneStage.play { scene in
      // By then, the field's initial empty name has passed.
      if showing != .all { scene.beginning = .seconds(1) }
      scene.add(
        .get("/users/{name}", .status(404).after(.milliseconds(300))),
        .get("/users/ann", .json(user("ann", 12)).after(.milliseconds(300))),
        .get("/users/heckj", .json(user("heckj", 63)).after(.seconds(2))),
        .get(
          "/avatars/{name}",
          .status(200).bytes(avatarBytes, type: "image/png").after(.seconds(1))
        )
      )
      let note: (String) -> Void = { line in
        let isOfUsers = !["typed", "throttled", "deduped"].contains { line.hasPrefix($0) }
        if showing == .all || showing == .users && isOfUsers { scene.note(line) }
      }
      let activity = NetworkActivity(log: note)
      let model = GitHubModel(
        GitHubAPI(client: scene.client, activity: activity),
        on: scene.scheduler,
        flattening: flattening,
        failures: failures,
        log: note
      )
      let watches = Watches(on: scene.stage)
      if showing == .all {
        watches.of({ model.repositoryCount }, { scene.note("count \($0)") })
        watches.of({ model.avatar?.description ?? "blank" }, { scene.note("avatar \($0)") })
      }
      if showing == .activity {
        watches.of({ "\(activity.isOn)" }, { scene.note("active \($0)") })
        watches.of({ "\(activity.count)" }, { scene.note("requests \($0)") })
      }
      script(model, scene)
      watches.kept = [model, activity]
      return watches
    }
  }

  private func user(_ login: String, _ count: Int) -> String {
    #"{"login": "\#(login)", "public_repos": \#(count), "avatar_url": "http://a.example/avatars/\#(login)"}"#
  }
}
