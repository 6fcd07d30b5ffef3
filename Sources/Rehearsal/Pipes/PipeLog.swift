import Pipelines
import RehearsalBase
import Script
import Staging

/// What every stage of a pipe did lately, for `log`. Kept as it was, since a text is made only when somebody
/// asks; of what holds a large value, only the text.
///
/// Unchecked: only the stage's thread touches it.
final class PipeLog: @unchecked Sendable {
  /// The stages in order, the source first; then those of the pipes within them.
  private(set) var stages: [String] = []
  /// How many stages work for one subscriber: those within others too, of sources only the pipe's own.
  private(set) var stageCount: Int
  /// How many stages have a name.
  private var uses: [String: Int] = [:]
  /// The pipe's own last stage.
  let lastStage: Int
  private var kept: [Entry] = []
  private var addedCount = 0
  /// How often each stage was subscribed to.
  private(set) var subscriptions: [Int] = []
  private unowned let session: Session

  struct Entry {
    let time: StageInstant
    /// How many lines the session had printed before.
    let position: Int
    /// An index into `stages`.
    let stage: Int
    /// Which subscriber of the stage this is about, from 1.
    let subscription: Int
    let event: Event
  }

  enum Event {
    case value(JSONValue)
    /// A publisher, not yet subscribed to.
    case publisher
    /// A value that a stage can do nothing with, and why.
    case dropped(String)
    case finished
    case failed(any Error)
    /// The pipe's own subscription was cancelled.
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

  /// The numbers of the stages of a pipe; those of one within a stage are added.
  func numbers(of spec: PipeSpec, within stage: Int?) -> [Int] {
    guard let stage else { return Array(0...lastStage) }
    let first = stages.count
    stageCount += spec.stages.count
    for word in spec.words { addStage("\(stages[stage]) | \(word)") }
    return Array(first..<stages.count)
  }

  /// The second `map` is `map 2`.
  private func addStage(_ name: String) {
    let count = uses[name, default: 0] + 1
    uses[name] = count
    stages.append(count == 1 ? name : "\(name) \(count)")
    subscriptions.append(0)
  }

  /// How many events are kept.
  static let most = 10_000
  /// Values of more bytes than this are not kept.
  private static let largestValue = 500

  /// The latest events.
  var entries: ArraySlice<Entry> { kept.suffix(Self.most) }
  /// How many there were before those.
  var goneCount: Int { addedCount - entries.count }

  /// Counts a subscription to a stage, and returns its number.
  func subscribe(to stage: Int) -> Int {
    subscriptions[stage] += 1
    return subscriptions[stage]
  }

  func add(_ event: Event, stage: Int, subscription: Int = 1) {
    let position = assumingMainActor { session.history.eventLines.count }
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

  private func inShort(_ event: Event) -> Event {
    switch event {
    case .value(let value), .load(_, .answered(let value)):
      guard value.size(upTo: Self.largestValue) > Self.largestValue else { return event }
      return .told(assumingMainActor { Self.text(of: event) })
    default: return event
    }
  }

  /// What happened, in words; the pipe and its stage are named elsewhere.
  @MainActor static func text(of event: Event) -> String {
    switch event {
    case .value(let value): value.text(within: valueColumns)
    case .publisher: "a publisher"
    case .dropped(let reason): "dropped: \(reason)"
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
