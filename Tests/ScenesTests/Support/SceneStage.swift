import MockHTTP
import Pipelines
import RemoteLoading
import Staging

/// A stage with a server that records its events.
@MainActor final class SceneStage {
  let stage: Stage
  let server = MockServer()
  private(set) var lines: [String] = []
  private var kept: AnyObject?
  /// The start of the recorded time. Earlier events are not recorded.
  var beginning = Duration.zero

  init(_ stage: Stage) {
    self.stage = stage
  }

  var scheduler: StageScheduler { StageScheduler(stage) }
  var client: RemoteClient { RemoteClient(MockTransport(server: server, clock: stage.clock)) }

  func add(_ routes: Route...) {
    for route in routes { server.add(route) }
  }

  func note(_ text: String) {
    let time = stage.now.elapsed - beginning
    if time >= .zero { lines.append("\(StageInstant(elapsed: time))  \(text)") }
  }

  func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Runs a closure at `milliseconds`.
  func at(_ milliseconds: Int, _ body: @escaping @MainActor () -> Void) {
    stage.schedule(at: StageInstant(elapsed: beginning + .milliseconds(milliseconds)), body)
  }

  /// Runs a closure on a stage until no work is left, and returns the recorded lines.
  nonisolated static func play(_ body: @MainActor (SceneStage) throws -> AnyObject) rethrows
    -> [String]
  {
    let stage = Stage()
    let scene = try stage.enter {
      let scene = SceneStage(stage)
      scene.kept = try body(scene)
      return scene
    }
    stage.settle()
    return stage.enter {
      scene.kept = nil  // Its deinit cancels work, which must happen on the stage.
      return scene.lines
    }
  }
}
