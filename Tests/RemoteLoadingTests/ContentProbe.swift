import Loading
import RemoteLoading
import Staging
import Synchronization

/// Content on a stage that records every state: `"100 success([1])"`, with the time in
/// milliseconds. By default, request number n is answered by `[n]` after 100 ms.
@MainActor
final class ContentProbe {
  let stage: Stage
  let transport: ScriptedTransport
  let content: DecodableRemoteContent<[Int]>
  private(set) var history: [String] = []
  private let script = Script()
  private var observation: RemoteContentObservation?

  var answers: [ScriptedTransport.Answer] {
    get { script.answers.withLock { $0 } }
    set { script.answers.withLock { $0 = newValue } }
  }

  init(on stage: Stage, policy: LoadingPolicy) {
    self.stage = stage
    transport = ScriptedTransport(on: stage) { [script] _, count in
      script.answers.withLock { $0.count >= count ? $0[count - 1] : .json("[\(count)]") }
    }
    content = DecodableRemoteContent(
      RemoteClient(transport),
      get("http://a.test/numbers"),
      policy: policy
    )
    observation = content.changes.observe { [unowned self] state in
      history.append("\(Int(stage.now.elapsed / .milliseconds(1))) \(state.debugDescription)")
    }
  }

  func at(_ milliseconds: Int, _ body: @escaping @MainActor () -> Void) {
    stage.schedule(at: StageInstant(elapsed: .milliseconds(milliseconds)), body)
  }

  private final class Script: Sendable {
    let answers = Mutex<[ScriptedTransport.Answer]>([])
  }
}
