import HTTPTypes
import MockHTTP
import RehearsalBase
import Script
import Staging
import Timelines

/// Records the requests of a session: a lane with one bar for each. Requests over a socket are left
/// out, because they take real time.
@MainActor final class RequestRecorder {
  private weak var session: Session?
  private let stage: Stage
  /// The lanes of unfinished requests, by their numbers in the log.
  private var open: [Int: Open] = [:]

  private struct Open {
    let lane: Int
    var isHeld: Bool
    var hasBegun = false
  }

  /// The numbers of these lanes.
  var openLanes: [Int] { open.values.map(\.lane) }

  init(_ session: Session) {
    self.session = session
    stage = session.stage
  }

  /// The observer for the server. A call from outside the main actor is scheduled as a job.
  var observer: MockServer.Observer {
    { [self, stage] entry in
      guard entry.isInVirtualTime else { return }
      if stage.isOnMainActor {
        MainActor.assumeIsolated { note(entry) }
      } else {
        stage.schedule(at: stage.now) { self.note(entry) }
      }
    }
  }

  private func note(_ entry: RequestLog.Entry) {
    guard let session else { return }
    guard var request = open[entry.id] else { return begin(entry, in: session) }
    if request.isHeld, entry.fate == .inFlight {
      request.isHeld = false
      write(.started(replacing: nil, silently: false), entry, request, "in flight")
    }
    if entry.ended != nil {
      open[entry.id] = nil
      return write(.ended(entry.end, dropped: false), entry, request, entry.answer)
    }
    if entry.begun != nil, !request.hasBegun {
      request.hasBegun = true
      write(.yielded(dropped: false), entry, request, "in flight", answer: entry.answer)
    }
    open[entry.id] = request
  }

  private func begin(_ entry: RequestLog.Entry, in session: Session) {
    guard entry.ended == nil else { return }
    let lane = session.history.addLane(
      Recording.Lane(
        name: "\(entry.method.rawValue) \(entry.path)".printable(atMost: 60),
        word: "request",
        initial: "",
        phase: .resting,
        owner: session.members.all.first { $0.name == entry.scope }
          .flatMap { session.history.laneNumbers.index(of: $0.lane) },
        sent: entry.digest.map(FNV1a.digits)
      )
    )
    let request = Open(lane: lane, isHeld: entry.fate == .held)
    open[entry.id] = request
    let kind: Recording.Kind =
      request.isHeld ? .queued : .started(replacing: nil, silently: false)
    write(kind, entry, request, request.isHeld ? "held" : "in flight")
  }

  private func write(
    _ kind: Recording.Kind,
    _ entry: RequestLog.Entry,
    _ request: Open,
    _ state: String,
    answer: String? = nil
  ) {
    session?.history.append(
      kind,
      attempt: entry.id,
      lane: request.lane,
      state: state,
      phase: entry.phase,
      answer: answer
    )
  }
}

extension RequestLog.Entry {
  /// Returns the answer of the client: a status, a fault or nothing.
  fileprivate var answer: String {
    switch fate {
    case .unmatched: "unmatched"
    case .cancelled: "cancelled"
    case .inFlight, .held, .answered, .failed:
      fault?.rawValue ?? status.map { fate == .failed ? "\($0), cut short" : "\($0)" } ?? "answered"
    }
  }

  fileprivate var end: Recording.End {
    switch fate {
    case .cancelled: .cancelled
    case .answered where status.map { $0 < 400 } ?? true: .succeeded
    case .inFlight, .held, .answered, .failed, .unmatched: .failed
    }
  }

  fileprivate var phase: Recording.Phase {
    guard ended != nil else { return .inFlight }
    return end == .succeeded ? .succeeded : end == .cancelled ? .resting : .failed
  }
}
