import RehearsalBase
package import Staging

/// A scheduler of a search: chooses in each run, and records the choices of the current run.
package class SearchScheduler: JobScheduler {
  /// The choices of the current run so far.
  @exclusivity(unchecked) package private(set) final var choices: [Int] = []
  /// The product of the numbers of possible choices.
  @exclusivity(unchecked) private final var product = 1.0
  /// Whether jobs that `claimMove` declares independent are treated so. False if the run shows
  /// their order at an instant.
  package final var takesClaims = true
  /// Whether a run could not vary everything, because this program does not allow it.
  package final var missesOrdersOfProgram = false
  /// Whether code of the current run has drawn a random number.
  private(set) final var hasDrawnRandomNumbers = false
  /// Instants with events in the default schedule, ascending. Open durations are chosen to end at
  /// them.
  package final var landmarks: [Duration] = []
  /// Also receives the choices, if it is not nil.
  @exclusivity(unchecked) package final var notes: ChoiceNotes?

  /// Whether the run keeps what a report about it needs: its values, the effects of its steps, and where tasks are
  /// created. It costs time. Set before the run.
  package final var keepsTexts = false
  /// Whether the output of the run is read. If not, it may print nothing, except if it fails. Set before the run.
  package final var readsOutput = true
  /// The values that code of the run got, by their decisions.
  private(set) final var values: [Int: ChosenValue] = [:]
  /// The effects of steps so far.
  private final var effects = StepEffects()
  /// Returns the place of a command record of the run, after the run.
  package final var placeOfRecord: (Int) -> CodePlace? = { _ in nil }

  package func noteValue(_ value: ChosenValue) {
    if keepsTexts { values[choices.count - 1] = value }
  }

  package func noteEffect(_ effect: StepEffect) {
    if keepsTexts { effects.add(effect, of: earlierStep?.step) }
  }

  /// A step that has effects, for `noteEffects`.
  package struct EffectOrigin {
    let step: StepEffects.Origin
    /// Its row in a table of steps; nil if there is no table.
    var row: TracingScheduler.Origin?
  }

  /// The step whose effects are noted later than it ran.
  private final var earlierStep: EffectOrigin?

  /// The step that runs now.
  package var effectOrigin: EffectOrigin { EffectOrigin(step: effects.origin) }

  /// Notes effects of a step that ran before, which become known only now.
  package func noteEffects(of origin: EffectOrigin, _ body: () -> Void) {
    let outer = earlierStep
    earlierStep = origin
    body()
    earlierStep = outer
  }

  /// The actual values of checks that held, by their rules.
  private final var held: [String: String] = [:]
  /// The rule of the check that failed the run.
  private final var violated: String?

  /// Notes a check that held, if its actual value has a text.
  final func noteHeld(_ rule: String, _ what: @autoclosure () -> String) {
    guard keepsTexts else { return }
    let what = what()
    if !what.isEmpty { held[rule] = what }
  }

  final func noteViolated(_ rule: String) { violated = rule }

  /// Returns the last actual value in this run of the check that another run violated; nil if it is unknown.
  final func actualValue(ofCheckViolatedIn other: SearchScheduler) -> String? {
    other.violated.flatMap { held[$0] }
  }

  /// Whether a step runs now.
  final var isInStep: Bool { effects.isInStep }

  /// Notes a step before it runs.
  final func noted(_ choice: Int, _ turn: Turn) -> NotedStep { effects.next(choice, turn) }

  /// Returns what a step has done, after the run.
  final func text(of step: NotedStep) -> StepText { effects.text(of: step, placeOfRecord) }

  /// Returns the open values of some code in this run, as text, and whether the run needed them.
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
    hasDrawnRandomNumbers = false
    product = 1
    return true
  }

  package final func choose(_ turn: Turn) -> Int {
    let choice = decide(turn)
    note(choice, of: turn.count)
    return choice
  }

  /// Returns the index of one of several values.
  package final func choose(among count: Int) -> Int {
    guard count > 1 else { return 0 }
    let choice = decide(among: count)
    note(choice, of: count)
    return choice
  }

  /// Returns the index of one value of a range; 0 is the default. The first, the last and the
  /// `marked` values, at which something else happens, are tried earlier or more often. `marked` is
  /// ascending, without duplicates, and below `count`.
  package final func choose(among count: Int, marked: [Int]) -> Int {
    guard count > 1 else { return 0 }
    let choice = decide(among: count, marked: marked)
    note(choice, of: count)
    return choice
  }

  package func willLeaveValuesOut() {}

  package final func hasDrawnRandomNumber() { hasDrawnRandomNumbers = true }

  package func hasYielded(task: UInt64) {}

  package var wantsSteps: Bool { keepsTexts }

  package var usesEffects: Bool { false }

  package func willDo(_ choice: Int, _ turn: Turn) { effects.begin() }

  package func hasDone(_ step: Step, wasChosen: Bool) { effects.end() }

  package func movesMatter(onlyClaimed: Bool) {}

  /// Whether each run is chosen at random, independently of other runs.
  package var isRandomised: Bool { false }

  /// Whether the run has ended and did not follow the decisions that it should repeat.
  var hasDiverged: Bool { false }

  /// Returns the next step.
  func decide(_ turn: Turn) -> Int { decide(among: turn.count) }

  /// Returns the index of a value.
  func decide(among count: Int) -> Int { 0 }

  /// Returns the index of a value in a range.
  func decide(among count: Int, marked: [Int]) -> Int { decide(among: count) }

  private func note(_ choice: Int, of count: Int) {
    if let notes { notes.add(choice, of: count, at: choices.count) }
    choices.append(choice)
    product *= Double(count)
  }

  /// The schedule of the current run so far.
  package final var schedule: Schedule { Schedule(choices) }

  /// Returns the number of decisions that differ from the default schedule.
  static func deviations(of choices: [Int]) -> Int { choices.reduce(0) { $0 + ($1 == 0 ? 0 : 1) } }

  /// Returns a hash of a schedule: FNV-1a over its decisions.
  static func hash(of choices: [Int]) -> UInt64 {
    var hash = FNV1a()
    for choice in choices { hash.combine(UInt64(choice)) }
    return hash.value
  }

  /// An estimate of the number of schedules from one random run: the product of the numbers of
  /// choices at its decisions. The mean over many runs converges to the true number (D. E. Knuth,
  /// "Estimating the Efficiency of Backtrack Programs", 1975).
  final var guessedSchedules: Double { product }
}
