import Loading
import Pipelines
import RehearsalBase
import Script
import Staging

/// The loads of one pipe: their numbers, their results, and their dependencies.
@MainActor final class PipeLoads {
  let name: String
  let log: PipeLog
  private(set) var counts = Counts()
  private unowned let session: Session

  struct Counts: Equatable {
    var begun = 0
    var answered = 0
    var failed = 0
    var cancelled = 0
    var futures = 0
  }

  init(name: String, log: PipeLog, session: Session) {
    self.name = name
    self.log = log
    self.session = session
  }

  func countFuture() { counts.futures += 1 }

  /// Starts the load of a plan. `end` receives the result, immediately if there is nothing to
  /// await.
  func begin(
    _ plan: PipeLoadPlan,
    stage: Int,
    end: @escaping (Result<JSONValue, any Error>) -> Void
  ) -> PipeLoad {
    counts.begun += 1
    let number = counts.begun
    let outcome = outcome(of: plan)
    note(.begins(outcome.text), number, stage)
    let run = PipeLoad { [unowned self] ending in
      switch ending {
      case .success: counts.answered += 1
      case .failure: counts.failed += 1
      case nil: counts.cancelled += 1
      }
      note(PipeLog.LoadEvent(ending), number, stage)
      if let ending { end(ending) }
    }
    start(outcome, of: plan, run)
    return run
  }

  /// Chooses the outcome of a load when it starts. The delay is chosen after that.
  private func outcome(of plan: PipeLoadPlan) -> PipeLoadPlan.Outcome {
    let outcomes = plan.outcomes
    let choice = session.scheduling.choose(among: outcomes.count, for: plan.openOutcome) {
      outcomes[$0].sentence
    }
    return outcomes[choice]
  }

  private func start(_ outcome: PipeLoadPlan.Outcome, of plan: PipeLoadPlan, _ run: PipeLoad) {
    func delay() -> Duration? {
      plan.delay.map { session.scheduling.choose($0, for: plan.openDelay) }
    }
    switch outcome {
    case .never: return
    case .request(let spec, let type):
      let delay = delay()
      let task = Task { [session, name] in
        do {
          if let delay { try await session.stage.clock.sleep(for: delay) }
          let response = try await session.http.fetch(spec, by: name, deadline: nil) { _ in }
          run.end(.success(try type.value(of: response)))
        } catch {
          run.end(.failure(error))
        }
      }
      session.stage.disown(task)
      run.stop = task.cancel
    case .result(let result):
      guard let delay = delay() else { return run.end(result) }
      let stage = session.stage
      let instant = stage.now.advanced(by: delay)
      let scheduled = stage.schedule(at: instant, name: "the answer of a load in \(name)") {
        run.end(result)
      }
      run.stop = scheduled.cancel
    }
  }

  private func note(_ event: PipeLog.LoadEvent, _ number: Int, _ stage: Int) {
    log.add(.load(number, event), stage: stage)
  }
}

/// A load in progress. It ends once, or is cancelled.
@MainActor final class PipeLoad {
  private var whenOver: ((Result<JSONValue, any Error>?) -> Void)?
  fileprivate var stop: (() -> Void)?

  /// - Parameter whenOver: receives the result; nil if the load was cancelled.
  fileprivate init(_ whenOver: @escaping (Result<JSONValue, any Error>?) -> Void) {
    self.whenOver = whenOver
  }

  fileprivate func end(_ result: Result<JSONValue, any Error>?) {
    let whenOver = self.whenOver
    self.whenOver = nil
    stop = nil
    whenOver?(result)
  }

  func cancel() {
    stop?()
    end(nil)
  }
}

extension PipeLog.LoadEvent {
  fileprivate init(_ result: Result<JSONValue, any Error>?) {
    switch result {
    case nil: self = .cancelled
    case .success(let value): self = .answered(value)
    case .failure(let error): self = .failed(error)
    }
  }
}

/// The plan of a load in a pipe, with its placeholders filled.
struct PipeLoadPlan {
  /// The possible outcomes, the default first.
  let outcomes: [Outcome]
  let delay: DurationRange?
  /// The number of its open outcome in the session.
  let openOutcome: Int?
  let openDelay: Int?

  enum Outcome {
    case result(Result<JSONValue, any Error>)
    case request(RequestSpec, ValueType)
    case never

    /// The outcome as text, for reports.
    var sentence: String {
      switch self {
      case .result(.success(let value)): value.text(within: 60)
      case .result(.failure(let error)): "fail \(errorText(error))"
      case .request(let spec, _): "from \(spec.text)"
      case .never: "never"
      }
    }

    /// The request as text, for the log; empty if there is none.
    var text: String {
      if case .request(let spec, _) = self { spec.text } else { "" }
    }
  }
}
