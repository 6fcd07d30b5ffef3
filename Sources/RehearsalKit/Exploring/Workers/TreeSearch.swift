import Exploring
import Harness
import Workers

/// A search through all schedules, in which workers take branches of the tree of decisions. What they find is put
/// together in the order in which one alone would have come by, and what that one would have left out is forgotten:
/// so the number of workers changes nothing.
struct TreeSearch {
  private let crew: SearchCrew
  private let goesOn: Bool
  private let patience: Int?
  private var runsLeft: Int
  /// What the runs have found that come first.
  private(set) var found: Findings
  /// What is left, in order.
  private var branches = [TreeBranch(TreePlace())]
  private var busy: [Int: (branch: TreeBranch, start: Int)] = [:]
  private var names = 0
  private var size = SearchUnit()
  /// The decisions of the branch that was merged last.
  private var spine = TreePlace()
  /// Why the search ends behind what is being done again, where it does.
  private var reason: Findings.End?
  private var isOver = false
  private var leavesOut = false

  /// So many bits of a branch may wait for those in front of them.
  private static let mostBits = 8

  /// - Parameters:
  ///   - plan: what is searched.
  ///   - crew: who searches.
  ///   - plain: what the runs before these have found.
  init(_ plan: Exploration.Plan, _ crew: SearchCrew, after plain: Findings) {
    self.crew = crew
    goesOn = plan.goesOn
    patience = plan.patience
    runsLeft = plan.seeds.count
    found = plain
  }

  /// Searches until the end, or until somebody stops it.
  mutating func run(until stop: SearchStop, _ tell: (Findings) -> Void) {
    while !isOver {
      if stop.isDue || crew.problem != nil { return halt() }
      for seat in crew.seats where crew.isIdle(seat) { give(seat) }
      if let (seat, reply) = crew.next(withinMilliseconds: 50) { take(seat, reply) }
      merge()
      tell(found)
    }
    for seat in busy.keys { crew.stop(seat, forgetting: true) }
    if leavesOut, found.isExhausted { found.end = .budget }
  }

  // MARK: Searching

  private func isFree(_ branch: TreeBranch) -> Bool {
    if branch.isBusy || branch.isDone { return false }
    return branch === branches.first || !branch.waits && branch.bits.count < Self.mostBits
  }

  private mutating func give(_ seat: Int) {
    guard let branch = branches.first(where: isFree) else { return }
    if branch.waits {
      branch.waits = false
      branch.place.absorb(spine)
    }
    branch.isBusy = true
    busy[seat] = (branch, ProcessControl.milliseconds)
    let most = branch === branches.first ? min(size.runs, runsLeft) : size.runs
    let keeping = found.groups.count < Findings.mostGroups
    crew.ask(seat, .tree(branch.place, runs: branch.limit ?? most, keeping: keeping))
  }

  private mutating func take(_ seat: Int, _ reply: SearchCrew.Reply) {
    guard let (branch, start) = busy.removeValue(forKey: seat) else { return }
    branch.isBusy = false
    switch reply {
    case .answer(.found(let part, let place)):
      size.note(runs: part.runs, start: start)
      add(part, place, to: branch)
    case .answer: preconditionFailure("A worker answers what it was asked.")
    case .notStarted: break  // The branch waits for another worker.
    case .lost(let loss):
      branch.loss = loss
      branch.limit = loss.run
      if loss.run == 0 { lose(loss, of: branch) }
    }
  }

  private mutating func add(_ part: Findings, _ place: TreePlace, to branch: TreeBranch) {
    branch.bits.append(TreeBranch.Bit(start: branch.place, part: part, end: place))
    branch.place = place
    branch.limit = nil
    switch part.end {
    case .complete, .partial: branch.isDone = true
    case .failure, .unsteady: end(behind: branch)
    case .budget where branch.loss != nil:
      if let loss = branch.loss { lose(loss, of: branch) }
    case .budget: splitIfIdle(branch)
    case .stopped, .nothingNew: break
    }
  }

  /// Counts a run that has ended its worker. What else there was to choose in it, nobody has heard of.
  private mutating func lose(_ loss: SearchCrew.LostRun, of branch: TreeBranch) {
    branch.loss = nil
    branch.limit = nil
    let part = Findings(loss, goesOn: goesOn)
    let next = branch.place.passingOver()
    branch.bits.append(
      .init(start: branch.place, part: part, end: next ?? branch.place, leavesOut: true)
    )
    branch.place = next ?? branch.place
    if next == nil { branch.isDone = true }
    if part.end != .budget { end(behind: branch) }
  }

  /// Ends the search with a branch, so that all behind it is nobody's business.
  private mutating func end(behind branch: TreeBranch) {
    branch.isDone = true
    guard let place = branches.firstIndex(where: { $0 === branch }) else { return }
    forget(place + 1..<branches.count)
  }

  private mutating func forget(_ range: Range<Int>) {
    let forgotten = branches[range]
    for (seat, work) in busy where forgotten.contains(where: { $0 === work.branch }) {
      crew.stop(seat, forgetting: true)
      busy[seat] = nil
    }
    branches.removeSubrange(range)
  }

  private mutating func splitIfIdle(_ branch: TreeBranch) {
    let idle = crew.seats.count { crew.isIdle($0) }
    guard reason == nil, branches.count(where: isFree) < idle,
      let place = branches.firstIndex(where: { $0 === branch })
    else { return }
    names += 1
    branches.insert(contentsOf: branch.split(named: names), at: place + 1)
  }

  // MARK: Merging

  private mutating func merge() {
    while !isOver, let branch = branches.first {
      while !isOver, let bit = branch.bits.first {
        if cut(bit) { return }
        branch.bits.removeFirst()
        take(bit)
      }
      guard !isOver, branch.isDone else { return }
      finish(branch)
    }
  }

  /// Whether the search ends in the middle of some runs; then they are done again up to there, once.
  private mutating func cut(_ bit: TreeBranch.Bit) -> Bool {
    if reason != nil { return false }
    var runs = bit.part.runs
    if runs > runsLeft || runs == runsLeft && bit.part.isExhausted {
      runs = runsLeft
      reason = .budget
    }
    if let patience, let end = found.runs(of: bit.part, before: patience), end < runs {
      runs = end
      reason = .nothingNew
    }
    guard runs < bit.part.runs || reason == .budget && bit.part.isExhausted else {
      return false
    }
    forget(0..<branches.count)
    runsLeft = runs
    branches = [TreeBranch(bit.start)]
    return true
  }

  private mutating func take(_ bit: TreeBranch.Bit) {
    found.append(bit.part)
    runsLeft -= bit.part.runs
    leavesOut = leavesOut || bit.leavesOut
    var end = bit.end
    end.absorb(spine)
    found.share = leavesOut ? nil : end.share
    if bit.part.end == .failure || bit.part.end == .unsteady {
      isOver = true
    } else if let patience, found.runsSinceNews >= patience {
      found.end = .nothingNew
      isOver = true
    } else if runsLeft == 0 {
      // The last run that was allowed may have been the last there is.
      found.end = reason == .nothingNew ? .nothingNew : found.share == 1 ? .complete : .budget
      isOver = true
    }
  }

  /// Nothing is left of a branch. Where its choice has only moved a task on, the others at the same decision would
  /// bring nothing else.
  private mutating func finish(_ branch: TreeBranch) {
    branch.place.absorb(spine)
    spine = branch.place
    branches.removeFirst()
    if let fork = branch.fork, !branch.place.needsOthers(at: fork.node),
      let end = branches.firstIndex(where: { $0.closes == fork.name })
    {
      forget(0..<end)
    }
    guard branches.isEmpty else { return }
    found.end = .complete
    isOver = true
  }

  /// Takes what the workers have, and leaves it at that.
  private mutating func halt() {
    for seat in busy.keys { crew.stop(seat, forgetting: false) }
    var lost: [Findings] = []
    while !busy.isEmpty {
      guard let (seat, reply) = crew.next(withinMilliseconds: 50) else { continue }
      if case .lost(let loss) = reply {
        busy[seat] = nil
        lost.append(Findings(loss, goesOn: goesOn))
      } else {
        take(seat, reply)
      }
    }
    for part in branches.flatMap(\.bits).map(\.part) + lost { found.append(part) }
    found.share = nil
    if found.end != .failure, found.end != .unsteady { found.end = .stopped }
  }
}
