/// Shrinks a failing schedule: fewer words, then an earlier end, then smaller choices.
///
/// A failing run is described in words that name tasks and their steps, so that most words keep their meaning if others are
/// removed. Each candidate is tried, and its run is described again. Ranges of words are removed as in delta debugging (A.
/// Zeller and R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
struct ScheduleShrinking {
  private typealias Word = Schedule.Word

  /// What a schedule names.
  enum Form {
    /// Decisions, by their numbers.
    case numbers
    /// Decisions; tasks and values if that is shorter.
    case short
    /// Tasks and values, so that the schedule fits changed code; the first decision by its number.
    case stable
  }

  /// A schedule with its rank among others.
  private struct Candidate {
    let words: [Word]
    /// The choices of its run, up to the last that differs from the default schedule.
    let choices: [Int]

    init(_ run: ReplayedRun) {
      choices = Schedule(run.choices).choices
      words = run.words ?? Schedule(choices).words
    }

    init(_ schedule: Schedule) { (words, choices) = (schedule.words, schedule.choices) }

    func isSimpler(than other: Candidate) -> Bool { rank < other.rank }

    private var rank: (Int, Int, Int) { (words.count, choices.count, choices.reduce(0, +)) }
  }

  /// Maximum number of values that are tried at a decision that might be the only relevant one.
  private static let mostTried = 16
  /// The part of all runs that may move words is one divided by this number.
  private static let shareOfMoves = 3
  /// Maximum number of decisions in all runs that move words. So runs with many decisions, which take long, are fewer.
  private static let mostDecisionsOfMoves = 40_000
  /// Maximum number of words that are removed at once after each single one is known to be needed.
  private static let mostRemoved = 3

  private var runsLeft: Int
  /// The number of runs that must be left for other changes than moves.
  private let runsWithoutMoves: Int
  private var decisionsOfMoves = 0
  /// The words that were tried; the same words give the same run.
  private var tried: Set<[Word]> = []
  private let replay: (Schedule) -> ReplayedRun
  private let matches: (RunOutcome) -> Bool
  private var best = Candidate(Schedule())
  /// The numbers of choices at the decisions of the shortest failing run.
  private var counts: [Int] = []

  /// - Parameters:
  ///   - runs: maximum number of runs.
  ///   - replay: performs a run by a schedule.
  ///   - matches: returns whether an outcome is still the wanted one.
  init(
    runs: Int,
    _ replay: @escaping (Schedule) -> ReplayedRun,
    where matches: @escaping (RunOutcome) -> Bool
  ) {
    runsLeft = runs
    runsWithoutMoves = runs - runs / Self.shareOfMoves
    self.replay = replay
    self.matches = matches
  }

  /// Returns the shortest schedule that still fails.
  mutating func shrink(_ schedule: Schedule, as form: Form) -> Schedule {
    best = Candidate(schedule)
    let run = replay(schedule)
    if matches(run.outcome) {
      best = Candidate(run)
      counts = run.counts
    }
    repeat { reduce() } while moveOneWord()
    let numbers = Schedule(best.choices)
    if prefersNumbers(as: form) { return numbers }
    if form == .stable {
      var count: Int
      repeat {
        count = best.words.count
        generalise()
        reduce()
      } while best.words.count < count
    }
    let words = Schedule(words: best.words)
    return matches(replay(words).outcome) ? words : numbers
  }

  /// Returns whether a form has the numbers of decisions instead of the best words.
  private func prefersNumbers(as form: Form) -> Bool {
    let numbers = Schedule(best.choices)
    let isAsShort = numbers.deviations <= best.words.count
    return switch form {
    case .numbers: true
    case .short: isAsShort
    case .stable: isAsShort && numbers.isStable(like: best.words)
    }
  }

  /// Removes and simplifies words until no single change and no removal of a few words helps.
  private mutating func reduce() {
    repeat {
      var last: [Word]
      repeat {
        last = best.words
        cutEnd()
        removeWords()
        widenWords()
        lowerChoices()
      } while best.words != last && runsLeft > 0
    } while removeSome()
  }

  /// Replaces the number of the last step of a task, so that a change of this task matters less.
  private mutating func generalise() {
    for place in best.words.indices where best.words[place].hasLastStep {
      for wider in best.words[place].wider where runsLeft > 0 {
        runsLeft -= 1
        let run = replay(Schedule(words: best.words.replacing(place, by: wider)))
        guard matches(run.outcome), run.words?.count == best.words.count else { continue }
        best = Candidate(run)
        break
      }
    }
  }

  /// Tries words, and keeps them if they fail and are simpler.
  private mutating func attempt(_ words: [Word]) -> Bool { attempt(words).isKept }

  private mutating func attempt(_ words: [Word]) -> (isKept: Bool, run: ReplayedRun?) {
    guard runsLeft > 0, tried.insert(words).inserted else { return (false, nil) }
    runsLeft -= 1
    let run = replay(Schedule(words: words))
    guard matches(run.outcome) else { return (false, run) }
    let candidate = Candidate(run)
    guard candidate.isSimpler(than: best) else { return (false, run) }
    best = candidate
    counts = run.counts
    return (true, run)
  }

  /// Removes all words after the first ones.
  private mutating func cutEnd() {
    var kept = 0
    while kept < best.words.count {
      if attempt(Array(best.words[..<kept])) { return }
      kept = kept == 0 ? 1 : kept * 2
    }
  }

  private mutating func removeWords() {
    var size = max(1, best.words.count / 2)
    while size >= 1, runsLeft > 0 {
      var start = 0
      while start < best.words.count {
        var words = best.words
        words.removeSubrange(start..<min(start + size, words.count))
        if !attempt(words) { start += size }
      }
      size /= 2
    }
  }

  /// Lets the task of a word run until it waits, or all other tasks, so that the word replaces several.
  private mutating func widenWords() {
    var place = 0
    while place < best.words.count {
      let wider = best.words[place].wider
      if !wider.contains(where: { attempt(best.words.replacing(place, by: $0)) }) { place += 1 }
    }
  }

  private mutating func lowerChoices() {
    var place = 0
    while place < best.words.count {
      guard let choice = best.words[place].choice else {
        place += 1
        continue
      }
      var step = choice - 1
      while step > 0, place < best.words.count, let choice = best.words[place].choice {
        guard choice > step,
          attempt(best.words.replacing(place, by: best.words[place].with(choice - step)))
        else {
          step /= 2
          continue
        }
        step = place < best.words.count ? min(step, (best.words[place].choice ?? 1) - 1) : 0
      }
      place += 1
    }
  }

  /// Removes two or three words at once.
  ///
  /// - Returns: whether the schedule became simpler.
  private mutating func removeSome() -> Bool {
    let words = best.words
    for count in 2...Self.mostRemoved where count < words.count {
      var places = Array(0..<count)
      while runsLeft > 0 {
        if attempt(words.indices.filter { !places.contains($0) }.map { words[$0] }) { return true }
        // The next combination.
        guard let place = places.indices.last(where: { places[$0] < words.count - count + $0 })
        else { break }
        places[place] += 1
        for later in places.indices where later > place { places[later] = places[later - 1] + 1 }
      }
    }
    return false
  }

  /// Looks for a schedule with a single word or, failing that, for a single word elsewhere that replaces two: removing
  /// alone does not always find the minimum.
  ///
  /// - Returns: whether the schedule became simpler.
  private mutating func moveOneWord() -> Bool {
    guard !best.words.isEmpty, mayMove else { return false }
    // Before a single deviation, the run equals the default schedule.
    if moveWord(in: replay(Schedule()).counts, keeping: nil) { return true }
    guard best.words.count > 1 else { return false }
    let counts = counts
    for word in best.words where moveWord(in: counts, keeping: word) { return true }
    return false
  }

  private var mayMove: Bool {
    runsLeft > runsWithoutMoves && decisionsOfMoves < Self.mostDecisionsOfMoves
  }

  /// Tries a deviation at each decision, in addition to the word that is kept.
  ///
  /// - Returns: whether the schedule became simpler.
  private mutating func moveWord(in counts: [Int], keeping word: Word?) -> Bool {
    let most = best.choices.count
    for (moved, count) in counts.enumerated() {
      for choice in 1..<max(1, min(count, Self.mostTried)) where mayMove {
        let words = (word.map { [$0] } ?? []) + [.choice(decision: moved + 1, choice)]
        // A single deviation at a later decision is not simpler.
        if word == nil, best.words.count == 1, moved >= most { return false }
        let (isKept, run) = attempt(words)
        if isKept { return true }
        decisionsOfMoves += run?.choices.count ?? 0
        guard best.words.count > words.count, let described = run?.words,
          described.count == words.count
        else { continue }
        for (place, word) in described.enumerated() {
          for wider in word.wider {
            let (isKept, run) = attempt(described.replacing(place, by: wider))
            if isKept { return true }
            decisionsOfMoves += run?.choices.count ?? 0
          }
        }
      }
    }
    return false
  }
}

extension Schedule {
  /// Whether the numbers of its decisions fit changed code as well as the words of an equal schedule.
  fileprivate func isStable(like other: [Word]) -> Bool {
    guard words.count == other.count else { return false }
    let pairs = zip(words, other)
    // Then the words have numbers of decisions, too.
    if other.contains(where: \.isDecision) { return true }
    return pairs.allSatisfy { number, word in
      guard case .choice(let decision, _) = number else { return false }
      if case .value(let value, _) = word { return value == decision }
      return decision == 1
    }
  }
}

extension Schedule.Word {
  /// The words that let more run before the same step.
  fileprivate var wider: [Schedule.Word] {
    switch self {
    case .choice, .value, .others: []
    case .run(_, nil, let step): [.others(before: step)]
    case .run(let task, _?, let step): [.run(task, to: nil, before: step), .others(before: step)]
    }
  }

  /// Whether the word has the number of the last step of a task.
  fileprivate var hasLastStep: Bool { if case .run(_, _?, _) = self { true } else { false } }

  /// The choice by number; nil if there is none.
  fileprivate var choice: Int? {
    switch self {
    case .choice(_, let choice), .value(_, let choice): choice
    case .run, .others: nil
    }
  }

  fileprivate func with(_ choice: Int) -> Schedule.Word {
    switch self {
    case .choice(let decision, _): .choice(decision: decision, choice)
    case .value(let value, _): .value(value, choice)
    case .run, .others: self
    }
  }
}

extension [Schedule.Word] {
  fileprivate func replacing(_ place: Int, by word: Schedule.Word) -> [Schedule.Word] {
    var words = self
    words[place] = word
    return words
  }
}
