/// Replays of schedules in all workers at once. Only the outcomes are needed.
struct ParallelReplay<Subject: SearchSubject> {
  private let schedules: [Schedule]
  private let pool: SearchPool<Subject>
  /// The outcomes in the order of the schedules; that of `ReplayedRun.unknown` if one is not known.
  private(set) var outcomes: [RunOutcome]
  /// The first run that exceeded the time limit. Those after it are unknown, because each would take the full limit.
  private(set) var hang: (place: Int, crash: RunCrash)?
  /// The places of the other runs that ended their process. Their outcomes are unknown.
  private(set) var ends: [Int] = []
  /// The places of the runs that are left, in order.
  private var left: [Int]
  private var busy: [Int: [Int]] = [:]

  /// Maximum number of runs in one request.
  private static var mostRuns: Int { 16 }

  /// - Parameters:
  ///   - schedules: the schedules.
  ///   - known: the outcomes of some of them.
  ///   - pool: the workers. All are idle.
  init(
    _ schedules: [Schedule],
    knowing known: (Schedule) -> RunOutcome?,
    in pool: SearchPool<Subject>
  ) {
    self.schedules = schedules
    self.pool = pool
    let outcomes = schedules.map(known)
    left = outcomes.indices.filter { outcomes[$0] == nil }
    self.outcomes = outcomes.map { $0 ?? ReplayedRun.unknown.outcome }
  }

  mutating func run() {
    let unknown = left
    // Each worker gets several requests, so that all end at about the same time.
    let size = min(Self.mostRuns, left.count / (4 * pool.workers.count) + 1)
    while true {
      for worker in pool.workers where pool.isIdle(worker) && !left.isEmpty {
        let places = Array(left.prefix(size))
        left.removeFirst(places.count)
        busy[worker] = places
        pool.ask(worker, .repeatRuns(places.map { schedules[$0] }))
      }
      if busy.isEmpty { break }
      guard let (worker, reply) = pool.next(withinMilliseconds: 50),
        let places = busy.removeValue(forKey: worker)
      else { continue }
      take(reply, of: places)
    }
    guard let hang else { return }
    for place in unknown where place > hang.place {
      outcomes[place] = ReplayedRun.unknown.outcome
    }
    ends.removeAll { $0 > hang.place }
  }

  private mutating func take(_ reply: SearchPool<Subject>.Reply, of places: [Int]) {
    switch reply {
    case .answer(.repeated(let found)):
      for (place, outcome) in zip(places, found) { outcomes[place] = outcome }
    case .answer, .found:
      preconditionFailure("A worker must answer the request that it was sent.")
    case .notStarted: left = places + left
    case .crashed(let run):
      let place = places[min(run.run, places.count - 1)]
      left = places.filter { $0 != place } + left
      if run.isHang {
        if hang.map({ place < $0.place }) ?? true { hang = (place, run.crash) }
      } else {
        ends.append(place)
      }
    }
    if let hang { left.removeAll { $0 > hang.place } }
  }
}
