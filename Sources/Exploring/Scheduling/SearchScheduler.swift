import RehearsalBase
package import Staging

/// A scheduler of a search: picks in each of its runs, and keeps the choices of the current run.
package class SearchScheduler: JobScheduler {
  /// What was chosen so far in this run.
  @exclusivity(unchecked) package private(set) final var choices: [Int] = []
  /// The product of what was possible at each decision.
  @exclusivity(unchecked) private final var product = 1.0
  /// Whether what jobs claim is taken for true: not where the order is shown of what they do at an instant.
  package final var takesClaims = true
  /// Instants at which something happens in the default schedule, in order: durations that are left open meet them.
  package final var landmarks: [Duration] = []
  /// Where the choices are noted as well.
  @exclusivity(unchecked) package final var notes: ChoiceNotes?

  /// Each function returns the open values of some code in this run, as text, and whether the run asked for them.
  private final var openValueSources: [() -> [(text: String, isAsked: Bool)]] = []

  package final func addOpenValues(_ values: @escaping () -> [(text: String, isAsked: Bool)]) {
    openValueSources.append(values)
  }

  /// Returns the values that code of this run leaves open.
  ///
  /// - Parameter command: the index of the code's command.
  /// - Returns: all values; a number distinguishes values with the same text.
  package final func openChoices(ofCommand command: Int = 0) -> OpenChoices {
    var choices = OpenChoices()
    var counts: [String: Int] = [:]
    for (text, isAsked) in openValueSources.flatMap({ $0() }) {
      let number = counts[text, default: 0] + 1
      counts[text] = number
      let text = number == 1 ? text : "\(text) (\(number))"
      choices.add(OpenChoice(command: command, text: text), isAsked: isAsked)
    }
    return choices
  }

  /// Begins the next run.
  ///
  /// - Parameter seed: chooses the run, unless schedules are tried in order.
  /// - Returns: whether there is a run.
  func begin(seed: UInt64) -> Bool {
    choices.removeAll(keepingCapacity: true)
    openValueSources = []
    product = 1
    return true
  }

  package final func choose(_ turn: Turn) -> Int {
    let choice = decide(turn)
    note(choice, of: turn.count)
    return choice
  }

  /// Which of several values, counted from 0, is taken.
  package final func choose(among count: Int) -> Int {
    guard count > 1 else { return 0 }
    let choice = decide(among: count)
    note(choice, of: count)
    return choice
  }

  /// Which of many values that lie in a row, as the moments of a time, is taken: counted from 0, the plain one.
  /// Those that are `marked`, since something else happens there, are tried sooner than others, as are the first
  /// and the last; they are in order, each once, less than `count`.
  package final func choose(among count: Int, marked: [Int]) -> Int {
    guard count > 1 else { return 0 }
    let choice = decide(among: count, marked: marked)
    note(choice, of: count)
    return choice
  }

  package func willLeaveValuesOut() {}

  package func hasYielded(task: UInt64) {}

  package var wantsSteps: Bool { false }

  package func willDo(_ choice: Int, _ turn: Turn) {}

  package func hasDone(_ step: Step, wasChosen: Bool) {}

  package func movesMatter(onlyClaimed: Bool) {}

  /// Whether the run is over, and was not what it has been up to the last decision that was tried before.
  var hasDiverged: Bool { false }

  /// Which step comes next.
  func decide(_ turn: Turn) -> Int { decide(among: turn.count) }

  /// Which value is taken.
  func decide(among count: Int) -> Int { 0 }

  /// Which of many values is taken.
  func decide(among count: Int, marked: [Int]) -> Int { decide(among: count) }

  private func note(_ choice: Int, of count: Int) {
    if let notes { notes.add(choice, of: count, at: choices.count) }
    choices.append(choice)
    product *= Double(count)
  }

  /// The schedule of the present run, so far.
  package final var schedule: Schedule { Schedule(choices) }

  /// How many decisions differ from those of a plain run.
  static func deviations(of choices: [Int]) -> Int { choices.reduce(0) { $0 + ($1 == 0 ? 0 : 1) } }

  /// A number for a schedule: FNV-1a over its decisions.
  static func hash(of choices: [Int]) -> UInt64 {
    var hash = FNV1a()
    for choice in choices { hash.combine(UInt64(choice)) }
    return hash.value
  }

  /// How many schedules there are, by what one run has met that was chosen by chance: the product of what was
  /// possible at each of its decisions. Its mean over many runs comes close to the true number (D. E. Knuth,
  /// "Estimating the Efficiency of Backtrack Programs", 1975).
  final var guessedSchedules: Double { product }
}
