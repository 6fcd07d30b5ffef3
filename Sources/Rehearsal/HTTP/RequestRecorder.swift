import HTTPTypes
import MockHTTP
import RehearsalBase
import Script
import Staging
import Timelines

/// Records the requests of a session: a lane for each, with a bar each time that it is sent. Requests
/// over a socket are left out, because they take real time.
@MainActor final class RequestRecorder {
  private weak var session: Session?
  private let stage: Stage
  /// The lanes of unfinished requests, by their numbers in the log.
  private var open: [Int: Open] = [:]

  /// The lanes of all requests that the recording still has, and of some that it has lost.
  private var lanes: [Key: Int] = [:]
  /// The number of lanes from which on lost ones are removed.
  private var mostLanes = 1000

  /// What makes two requests the same.
  private struct Key: Hashable {
    let name: String
    let scope: String?
    let digest: UInt64?
  }

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
        stage.schedule(at: stage.now, name: "the report of a request") { self.note(entry) }
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
    let lane = lane(of: entry, in: session)
    let request = Open(lane: lane, isHeld: entry.fate == .held)
    open[entry.id] = request
    let kind: Recording.Kind =
      request.isHeld ? .queued : .started(replacing: nil, silently: false)
    write(kind, entry, request, request.isHeld ? "held" : "in flight")
  }

  private func lane(of entry: RequestLog.Entry, in session: Session) -> Int {
    let name = "\(entry.method.rawValue) \(entry.path)".printable(atMost: 60)
    let key = Key(name: name, scope: entry.scope, digest: entry.digest)
    let owner = owner(of: entry.scope, in: session)
      .flatMap { session.history.laneNumbers.index(of: $0.lane) }
    // A member may have been replaced by another one of its name.
    if let lane = lanes[key], session.history.lane(lane).map({ $0.owner == owner }) == true {
      return lane
    }
    let lane = session.history.addLane(
      Recording.Lane(
        name: name,
        word: "request",
        initial: "",
        phase: .resting,
        owner: owner,
        sent: entry.digest.map(FNV1a.digits)
      )
    )
    lanes[key] = lane
    if lanes.count > mostLanes {
      lanes = lanes.filter { session.history.lane($0.value) != nil }
      mostLanes = max(mostLanes, 2 * lanes.count)
    }
    return lane
  }

  /// Returns the member that sends requests as `scope`: a scene often shows a model as several
  /// members, such as `account.name` and `account.isBusy` for `account`.
  private func owner(of scope: String?, in session: Session) -> (any Member)? {
    guard let scope else { return nil }
    return session.members.all.first { $0.name == scope }
      ?? session.members.all.first { $0.name.hasPrefix(scope + ".") }
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
