import Exploring
import Harness
import Workers

/// A search by seeds, which are dealt out to workers in rows. What they find is put together in the order of the
/// seeds, so that neither the number of workers nor which was quicker changes anything.
struct SeedSearch {
  private let crew: SearchCrew
  private let goesOn: Bool
  private var patience: Int?
  private let length: Int

  /// What the runs have found that come first.
  private(set) var found: Findings
  /// Their end, where those begin of which not all is known.
  private var front: UInt64
  /// The first seed that nobody has been given.
  private var next: UInt64
  /// Where the search ends, as far as is known.
  private var end: UInt64
  /// Seeds that have to be done again.
  private var again: [Range<UInt64>] = []
  private var busy: [Int: (seeds: Range<UInt64>, start: Int)] = [:]
  /// What is known of seeds behind the front, by the first of them.
  private var parts: [UInt64: Findings] = [:]
  private var size = SearchUnit()
  /// Why it ends where it does, if not for want of seeds.
  private var reason: Findings.End?

  /// - Parameters:
  ///   - plan: what is searched.
  ///   - crew: who searches.
  ///   - plain: what the plain run has found, where it is counted here.
  ///   - length: how many decisions it takes.
  init(_ plan: Exploration.Plan, _ crew: SearchCrew, after plain: Findings, length: Int) {
    self.crew = crew
    self.length = length
    goesOn = plan.goesOn
    patience = plan.patience
    found = plain
    front = plan.seeds.lowerBound
    next = front
    end = plan.seeds.upperBound
  }

  /// Searches until the end, or until somebody stops it.
  mutating func run(until stop: SearchStop, _ tell: (Findings) -> Void) {
    while front < end {
      if stop.isDue || crew.problem != nil { return halt() }
      for seat in crew.seats where crew.isIdle(seat) { give(seat) }
      if let (seat, reply) = crew.next(withinMilliseconds: 50) { take(seat, reply) }
      merge()
      tell(found)
    }
    for seat in busy.keys { crew.stop(seat, forgetting: true) }
    if let reason { found.end = reason }
  }

  private mutating func give(_ seat: Int) {
    guard let seeds = nextSeeds() else { return }
    let keeping = found.groups.count < Findings.mostGroups
    busy[seat] = (seeds, ProcessControl.milliseconds)
    crew.ask(seat, .seeds(seeds, length: length, keeping: keeping))
  }

  private mutating func nextSeeds() -> Range<UInt64>? {
    while let seeds = again.popLast() {
      if seeds.lowerBound < end { return seeds.clamped(to: front..<end) }
    }
    // Those that wait for an earlier one are not to become too many.
    guard next < end, parts.count < 64 else { return nil }
    let seeds = next..<next + size.share(of: end - next, among: crew.seats.count)
    next = seeds.upperBound
    return seeds
  }

  private mutating func take(_ seat: Int, _ reply: SearchCrew.Reply) {
    guard let work = busy.removeValue(forKey: seat) else { return }
    switch reply {
    case .answer(.found(let part, _)):
      size.note(runs: part.runs, start: work.start)
      parts[work.seeds.lowerBound] = part
      if part.end != .budget, part.end != .stopped {
        cut(at: work.seeds.lowerBound + UInt64(part.runs))
      }
    case .answer: preconditionFailure("A worker answers what it was asked.")
    case .notStarted: giveBack([work.seeds])
    case .lost(let loss):
      lose(work.seeds, loss)
    }
  }

  /// A run has ended its worker. Those before it are done again, since what they came to went with it.
  private mutating func lose(_ seeds: Range<UInt64>, _ loss: SearchCrew.LostRun) {
    let seed = min(seeds.lowerBound + UInt64(loss.run), seeds.upperBound - 1)
    let part = Findings(loss, goesOn: goesOn)
    if part.end != .budget { cut(at: seed + 1) }
    parts[seed] = part
    giveBack([seed + 1..<seeds.upperBound, seeds.lowerBound..<seed].filter { !$0.isEmpty })
  }

  private mutating func giveBack(_ seeds: [Range<UInt64>]) {
    again += seeds
    again.sort { $0.lowerBound > $1.lowerBound }
  }

  /// Ends the search at a seed, so that those behind it are nobody's business.
  private mutating func cut(at seed: UInt64) {
    end = min(end, seed)
    for (seat, work) in busy where work.seeds.lowerBound >= end {
      crew.stop(seat, forgetting: true)
      busy[seat] = nil
    }
  }

  private mutating func merge() {
    while front < end, let part = parts.removeValue(forKey: front) {
      if let patience, let runs = found.runs(of: part, before: patience) {
        reason = .nothingNew
        self.patience = nil
        cut(at: front + UInt64(runs))
        if runs < part.runs { return again.append(front..<end) }
      }
      found.append(part)
      front += UInt64(part.runs)
    }
  }

  /// Takes what the workers have, and leaves it at that.
  private mutating func halt() {
    for seat in busy.keys { crew.stop(seat, forgetting: false) }
    while !busy.isEmpty {
      if let (seat, reply) = crew.next(withinMilliseconds: 50) { take(seat, reply) }
    }
    for seed in parts.keys.sorted() where seed < end {
      if let part = parts[seed] { found.append(part) }
    }
    if found.end != .failure, found.end != .unsteady { found.end = .stopped }
  }
}

/// How many runs a worker does at a time: a tenth of a second's worth, however long one takes.
struct SearchUnit {
  private static let milliseconds = 100

  private(set) var runs = 50

  /// How many of those that are left a worker takes: towards the end fewer and fewer, so that all of them come to it at
  /// the same time (guided self-scheduling, Polychronopoulos and Kuck 1987).
  func share(of left: UInt64, among workers: Int) -> UInt64 {
    guard workers > 1 else { return min(left, UInt64(runs)) }
    let even = left / UInt64(2 * workers)
    return min(left, UInt64(runs), max(even, UInt64(max(1, runs / 32))))
  }

  /// - Parameters:
  ///   - runs: how many were done.
  ///   - start: since when, in milliseconds.
  mutating func note(runs: Int, start: Int) {
    guard runs > 0 else { return }
    let time = max(1, ProcessControl.milliseconds - start)
    let fitting = runs * Self.milliseconds / time
    self.runs = min(max(1, fitting, self.runs / 4), self.runs * 4, Findings.mostGroups)
  }
}

/// When a search has to end, though there is more to do.
struct SearchStop {
  /// Real time at which the search began.
  let start = RealTime.now
  /// How long it may take.
  let limitInMilliseconds: Int?

  init(limitInMilliseconds: Int?) { self.limitInMilliseconds = limitInMilliseconds }

  var isDue: Bool { StopSignals.caught != nil || isOver(times: 1) }

  /// How long what was found is made shorter by a search that somebody has stopped, in real time.
  private static let shorteningInMilliseconds = 2_000

  /// When what was found is not made any shorter: for that there is as much time again, or little where somebody waits.
  var isDueForShortening: Bool {
    isOver(times: 2) || (StopSignals.age.map { $0 >= Self.shorteningInMilliseconds } ?? false)
  }

  private func isOver(times: Int) -> Bool {
    guard let limit = limitInMilliseconds else { return false }
    return RealTime.now - start >= .milliseconds(limit) * times
  }
}
