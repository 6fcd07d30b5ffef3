import Pipelines
import RehearsalBase
import Script
import Staging

/// The latest events of all stages of a pipe, for `log`. Values are kept, and formatted only on
/// demand; of large values only the text is kept.
///
/// Unchecked: used only on the stage's thread.
final class PipeLog: @unchecked Sendable {
  /// The names of the stages in order, the source first; then those of the pipes inside them.
  private(set) var stages: [String] = []
  /// Number of stages for one subscriber, including those inside other stages, but without the
  /// stages of sources.
  private(set) var stageCount: Int
  /// Number of stages with each name.
  private var uses: [String: Int] = [:]
  /// The last stage of the pipe itself.
  let lastStage: Int
  private var kept: [Entry] = []
  private var addedCount = 0
  /// Number of subscriptions of each stage.
  private(set) var subscriptions: [Int] = []
  private unowned let session: Session
  /// Whether `handleEvents` prints nothing more.
  var isSilent = false

  struct Entry {
    let time: StageInstant
    /// Number of lines that the session had printed before.
    let position: Int
    /// An index into `stages`.
    let stage: Int
    /// The number of the subscriber, from 1.
    let subscription: Int
    let event: Event
  }

  enum Event {
    case value(JSONValue)
    /// A publisher, before any subscription.
    case publisher
    /// A value that the stage cannot use, and the reason.
    case dropped(String)
    /// A value that was dropped between two stages, nil for a publisher, and the reason.
    case lost(JSONValue?, String)
    case finished
    case failed(any Error)
    /// The subscription of the session was cancelled.
    case cancelled
    case load(Int, LoadEvent)
    case told(String)
  }

  enum LoadEvent {
    case begins(String)
    case answered(JSONValue)
    case failed(any Error)
    case cancelled
  }

  init(of spec: PipeSpec, session: Session) {
    lastStage = spec.stages.count
    stageCount = spec.stages.count + 1
    self.session = session
    for word in spec.words { addStage(word) }
  }

  /// Returns the numbers of a pipe's stages. Adds the stages if the pipe is inside another stage.
  func numbers(of spec: PipeSpec, within stage: Int?) -> [Int] {
    guard let stage else { return Array(0...lastStage) }
    let first = stages.count
    stageCount += spec.stages.count
    for word in spec.words { addStage("\(stages[stage]) | \(word)") }
    return Array(first..<stages.count)
  }

  /// Adds a stage; the second `map` is `map 2`.
  private func addStage(_ name: String) {
    let count = uses[name, default: 0] + 1
    uses[name] = count
    stages.append(count == 1 ? name : "\(name) \(count)")
    subscriptions.append(0)
  }

  /// Maximum number of events.
  static let most = 10_000
  /// Maximum number of bytes of a value that is kept.
  private static let largestValue = 500

  /// The latest events.
  var entries: ArraySlice<Entry> { kept.suffix(Self.most) }
  /// Number of removed events.
  var goneCount: Int { addedCount - entries.count }

  /// Counts a subscription to a stage, and returns its number.
  func subscribe(to stage: Int) -> Int {
    subscriptions[stage] += 1
    return subscriptions[stage]
  }

  func add(_ event: Event, stage: Int, subscription: Int = 1) {
    let position = assumingMainActor { session.history.eventLines.count }
    noteEffect(event, stage: stage)
    addedCount += 1
    if kept.count == 2 * Self.most { kept.removeFirst(Self.most) }
    kept.append(
      Entry(
        time: session.stage.now,
        position: position,
        stage: stage,
        subscription: subscription,
        event: inShort(event)
      )
    )
  }

  /// Notes an event for a report about a run.
  private func noteEffect(_ event: Event, stage: Int) {
    guard let scheduler = session.stage.jobScheduler, scheduler.keepsTexts else { return }
    let text = assumingMainActor { Self.text(of: event) }
    let what = if case .value = event { "the value \(text)" } else { "'\(text)'" }
    let effect = "\(what) at '\(stages[stage])'"
    scheduler.noteEffect(StepEffect(effect, row: "→ \(effect)"))
  }

  /// Prints an event of `handleEvents`. The output and the end are in the log anyway.
  func announce(_ text: String, of name: String, stage: Int, isInLog: Bool) {
    guard !isSilent else { return }
    if !isInLog { add(.told(text), stage: stage) }
    assumingMainActor {
      session.output.printEvent("\(name) | \(stages[stage])  \(text)", lane: nil)
    }
  }

  private func inShort(_ event: Event) -> Event {
    switch event {
    case .value(let value), .load(_, .answered(let value)), .lost(.some(let value), _):
      guard value.size(upTo: Self.largestValue) > Self.largestValue else { return event }
      return .told(assumingMainActor { Self.text(of: event) })
    default: return event
    }
  }

  /// Returns an event as text, without the pipe and the stage.
  @MainActor static func text(of event: Event) -> String {
    switch event {
    case .value(let value): value.text(within: valueColumns)
    case .publisher: "a publisher"
    case .dropped(let reason): "dropped: \(reason)"
    case .lost(let value, let reason):
      "dropped \(value?.text(within: valueColumns) ?? "a publisher"): \(reason)"
    case .finished: "finished"
    case .failed(let error): "failed: \(errorText(error))"
    case .cancelled: "cancelled"
    case .load(let number, let event): "load #\(number) \(text(of: event))"
    case .told(let text): text
    }
  }

  @MainActor private static func text(of event: LoadEvent) -> String {
    switch event {
    case .begins(let what): what.isEmpty ? "begins" : "begins: \(what)"
    case .answered(let value): "answered \(value.text(within: valueColumns))"
    case .failed(let error): "failed: \(errorText(error))"
    case .cancelled: "cancelled"
    }
  }
}
