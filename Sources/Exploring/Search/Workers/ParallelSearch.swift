import Workers

/// A search in several workers: how much work each gets, and how the search ends. It merges their findings in the order
/// of a single process, and drops the runs that a single process would not have performed, so the number of workers
/// does not change the result.
struct ParallelSearch<Subject: SearchSubject> {
  private let pool: SearchPool<Subject>
  private let continuesAfterFailure: Bool
  private let stopAfter: Int?
  private let until: Double?
  private var runsLeft: Int
  /// The findings of the merged runs.
  private(set) var found: Findings
  /// The runs after the merged ones.
  private(set) var rest: RunRange
  /// The branches that are left, in order.
  private var branches: [SearchBranch]
  private var busy: [Int: (branch: SearchBranch, start: Int)] = [:]
  private var names = 0
  /// The decisions of the latest merged branch.
  private var spine = RunRange.tree(SearchCursor())
  /// The reason why the search ends after the runs that are performed again.
  private var reason: Findings.End?
  private var isOver: Bool
  private var leavesOut: Bool
  /// Maximum number of batches of a branch that wait for earlier branches.
  private static var mostBatches: Int { 8 }
  /// Maximum number of branches.
  private var mostBranches: Int { 64 + pool.workers.count }

  /// - Parameters:
  ///   - range: the runs.
  ///   - runs: the maximum number of runs.
  ///   - plan: the settings of the search.
  ///   - pool: the workers.
  ///   - found: the findings of earlier runs.
  init(
    _ range: RunRange,
    runs: Int,
    _ plan: Exploration.Plan,
    _ pool: SearchPool<Subject>,
    after found: consuming Findings
  ) {
    self.pool = pool
    rest = range
    leavesOut = range.leavesOut
    self.found = consume found
    continuesAfterFailure = plan.continuesAfterFailure
    stopAfter = plan.stopAfter
    until = plan.until
    self.found.sample.strategies = max(
      self.found.sample.strategies,
      plan.strategy.countInTurn
    )
    runsLeft = runs
    isOver = runs == 0
    branches = [SearchBranch(range)]
  }

  /// Searches until the end, or until `continues` returns false.
  mutating func run(while continues: (Findings) -> Bool) {
    while !isOver {
      guard continues(found), pool.problem == nil else { return halt() }
      for worker in pool.workers where pool.isIdle(worker) { ask(worker) }
      if let (worker, reply) = pool.next(withinMilliseconds: 50) { take(worker, reply) }
      merge()
    }
    for worker in busy.keys { pool.stop(worker, ignored: true) }
    if leavesOut, found.isExhausted { found.end = .budget }
    rest.leavesOut = leavesOut
  }

  // MARK: Searching

  private func isFree(_ branch: SearchBranch) -> Bool {
    if branch.isBusy || branch.isDone { return false }
    return branch === branches.first || !branch.waits && branch.batches.count < Self.mostBatches
  }

  private mutating func ask(_ worker: Int) {
    guard let place = branches.firstIndex(where: isFree) else { return }
    let branch = branches[place]
    if branch.waits {
      branch.waits = false
      branch.rest.absorb(spine)
    }
    var runs = pool.size.runs
    if let left = branch.rest.count {
      if place > 0, branches.count >= mostBranches { return }
      runs = pool.size.share(of: left, among: pool.workers.count)
      if reason == nil, branch.limit == nil, let rest = branch.split(after: runs) {
        branches.insert(rest, at: place + 1)
      }
    }
    if place == 0 { runs = min(runs, runsLeft) }
    branch.isBusy = true
    busy[worker] = (branch, ProcessControl.milliseconds)
    let keeping = found.groups.count < Findings.mostGroups
    pool.ask(worker, .search(branch.rest, runs: branch.limit ?? runs, keeping: keeping))
  }

  private mutating func take(_ worker: Int, _ reply: SearchPool<Subject>.Reply) {
    guard let (branch, start) = busy.removeValue(forKey: worker) else { return }
    branch.isBusy = false
    switch reply {
    case .found(let part, let rest):
      pool.size.note(runs: part.runs, start: start)
      add(part, rest, to: branch)
    case .answer: preconditionFailure("A worker must answer the request that it was sent.")
    case .notStarted: break  // The branch waits for another worker.
    case .crashed(let crash):
      branch.crash = crash
      branch.limit = crash.run
      if crash.run == 0 { addCrash(crash, to: branch) }
    }
  }

  private mutating func add(_ part: Findings, _ rest: RunRange, to branch: SearchBranch) {
    branch.batches.append(.init(start: branch.rest, part: part, rest: rest))
    branch.rest = rest
    branch.limit = nil
    switch part.end {
    case .complete, .partial: branch.isDone = true
    case .failure, .nondeterministic: end(after: branch)
    case .budget where branch.crash != nil:
      if let crash = branch.crash { addCrash(crash, to: branch) }
    case .budget where rest.count == 0: branch.isDone = true
    case .budget: splitIfIdle(branch)
    case .stopped, .nothingNew, .newBehaviourUnlikely: break
    }
  }

  /// Adds a run that ended its worker. Its choices after that moment are unknown.
  private mutating func addCrash(_ crash: CrashedRun, to branch: SearchBranch) {
    branch.crash = nil
    branch.limit = nil
    let part = findings(of: crash, in: branch, at: 0)
    let next = branch.rest.passingOver()
    branch.batches.append(
      .init(start: branch.rest, part: part, rest: next ?? branch.rest, leavesOut: true)
    )
    branch.rest = next ?? branch.rest
    if next == nil { branch.isDone = true }
    if part.end != .budget { end(after: branch) }
  }

  private func findings(
    of crash: CrashedRun,
    in branch: SearchBranch,
    at index: Int
  ) -> Findings {
    Findings(
      crash,
      isRandomised: branch.rest.isRandomised(at: index),
      continues: continuesAfterFailure
    )
  }

  /// Ends the search with a branch. All branches after it are dropped.
  private mutating func end(after branch: SearchBranch) {
    branch.isDone = true
    guard let place = branches.firstIndex(where: { $0 === branch }) else { return }
    drop(place + 1..<branches.count)
  }

  private mutating func drop(_ range: Range<Int>) {
    let dropped = branches[range]
    for (worker, work) in busy where dropped.contains(where: { $0 === work.branch }) {
      pool.stop(worker, ignored: true)
      busy[worker] = nil
    }
    branches.removeSubrange(range)
  }

  private mutating func splitIfIdle(_ branch: SearchBranch) {
    let idle = pool.workers.count { pool.isIdle($0) }
    guard reason == nil, branches.count(where: isFree) < idle,
      let place = branches.firstIndex(where: { $0 === branch })
    else { return }
    names += 1
    branches.insert(contentsOf: branch.split(named: names), at: place + 1)
  }

  // MARK: Merging

  private mutating func merge() {
    while !isOver, let branch = branches.first {
      while !isOver, let batch = branch.batches.first {
        if cut(batch) { return }
        branch.batches.removeFirst()
        merge(batch)
      }
      guard !isOver, branch.isDone else { return }
      finish(branch)
    }
  }

  /// Returns whether the search ends within a batch. If so, the runs up to the end are performed
  /// again, once.
  private mutating func cut(_ batch: SearchBranch.Batch) -> Bool {
    if reason != nil { return false }
    var runs = batch.part.runs
    if runs > runsLeft || runs == runsLeft && batch.part.isExhausted {
      runs = runsLeft
      reason = .budget
    }
    if let stopAfter, let end = found.runs(of: batch.part, before: stopAfter), end < runs {
      runs = end
      reason = .nothingNew
    }
    if let until, let end = found.runs(of: batch.part, in: batch.start, untilAtMost: until),
      end < runs
    {
      runs = end
      reason = .newBehaviourUnlikely
    }
    guard runs < batch.part.runs || reason == .budget && batch.part.isExhausted else {
      return false
    }
    drop(0..<branches.count)
    runsLeft = runs
    branches = [SearchBranch(batch.start)]
    return true
  }

  private mutating func merge(_ batch: SearchBranch.Batch) {
    found.append(batch.part)
    runsLeft -= batch.part.runs
    leavesOut = leavesOut || batch.leavesOut
    rest = batch.rest
    rest.absorb(spine)
    found.share = leavesOut ? nil : rest.share
    rest = rest.withEarlierDecisions
    if batch.part.end == .failure || batch.part.end == .nondeterministic {
      isOver = true
    } else if let stopAfter, found.runsSinceNews >= stopAfter {
      found.end = .nothingNew
      isOver = true
    } else if let until, found.isNewBehaviourUnlikely(atMost: until) {
      found.end = .newBehaviourUnlikely
      isOver = true
    } else if runsLeft == 0 {
      // The last allowed run may also have been the last possible one.
      let limit = reason == .budget ? nil : reason
      found.end = limit ?? (found.share == 1 ? .complete : .budget)
      isOver = true
    }
  }

  /// Ends a branch without remaining runs. If its choice only resumed a task, the other choices at
  /// the same decision would show nothing new.
  private mutating func finish(_ branch: SearchBranch) {
    branch.rest.absorb(spine)
    spine = branch.rest
    branches.removeFirst()
    if let fork = branch.fork, !branch.needsOthers(at: fork.node),
      let end = branches.firstIndex(where: { $0.closes == fork.name })
    {
      drop(0..<end)
    }
    guard branches.isEmpty else { return }
    found.end = .complete
    isOver = true
  }

  /// Stops the workers, and collects their findings.
  private mutating func halt() {
    for worker in busy.keys { pool.stop(worker, ignored: false) }
    var crashed: [Findings] = []
    while !busy.isEmpty {
      guard let (worker, reply) = pool.next(withinMilliseconds: 50) else { continue }
      if case .crashed(let crash) = reply {
        if let branch = busy.removeValue(forKey: worker)?.branch {
          crashed.append(findings(of: crash, in: branch, at: crash.run))
        }
      } else {
        take(worker, reply)
      }
    }
    for part in branches.flatMap(\.batches).map(\.part) + crashed { found.append(part) }
    found.share = nil
    if found.end != .failure, found.end != .nondeterministic { found.end = .stopped }
  }
}

/// The number of runs in one request, chosen to take a tenth of a second.
struct BatchSize {
  private static let milliseconds = 100
  /// Shorter requests measure nothing, because time has whole milliseconds.
  private static let shortest = 10
  private(set) var runs = 50

  /// Returns the number of runs that a worker performs next. Towards the end this number decreases,
  /// so that all workers end at the same time (guided self-scheduling, Polychronopoulos and Kuck
  /// 1987).
  func share(of left: Int, among workers: Int) -> Int {
    guard workers > 1 else { return min(left, runs) }
    return min(left, runs, max(left / (2 * workers), max(1, runs / 32)))
  }

  /// - Parameters:
  ///   - runs: the number of performed runs.
  ///   - start: the start time, in milliseconds.
  mutating func note(runs: Int, start: Int) {
    guard runs > 0 else { return }
    let time = max(1, ProcessControl.milliseconds - start)
    guard time >= Self.shortest || runs >= self.runs else { return }
    let fitting = runs * Self.milliseconds / time
    self.runs = min(max(1, fitting, self.runs / 4), self.runs * 4, Findings.mostGroups)
  }
}
