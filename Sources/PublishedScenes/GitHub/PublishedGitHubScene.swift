import Rehearsal
import RemoteLoading
import Scenes

/// The scene `github-variants` with swiftui-notes' view controller as it was published.
extension Scene {
  static let publishedGitHub = github.published(
    "the view controller of swiftui-notes' UIKit-Combine",
    on: "a 'DispatchQueue' for throttling, 'DispatchQueue.main' and 'RunLoop.main'"
  ) { scene in
    scene.addGitHubRoutes()
    let journal = scene.journal("github")
    let controller = GithubViewController(
      GithubAPI(client: RemoteClient(scene.transport(for: "github"))),
      print: journal.note
    )
    controller.viewDidLoad()
    scene.property("github.count", controller.$repositoryCountText)
    scene.property("github.avatar", controller.$avatar)
    scene.property("github.active", controller.$isAnimating)
    scene.property("github.requests", controller.$requestCount)
    scene.addField("") { controller.githubIdChanged($0) }
  }
}
