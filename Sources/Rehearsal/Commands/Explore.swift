import Exploring
import Script

extension ShellCommand {
  static let explore = ShellCommand(
    definition: CommandDefinition(
      "explore",
      topic: .session,
      summary:
        "Runs the session so far in many orders of its jobs (schedules), and shows how the results differ.",
      details: [
        "A job is a piece of a task that runs without suspension. A schedule is an order of jobs. The default schedule is first in, first out. Each run repeats the session, and 'settle' at its end, with another schedule, other delays of a range such as 'after 1s to 2s', and other answers of '1 or never'. It has no network and writes no files. This session does not change. Runs with the same events at the same instants are one behaviour.",
        "A failing command or a violated check is a failure. The report shows a short transcript that repeats it: its 'schedule' command sets the order. The first failure ends the search, unless 'keep-going' is given.",
        "'random' chooses each job at random. 'pct' gives tasks random priorities and changes them a few times. 'pos' gives each job a random priority. 'urw' makes each order about equally probable; 'surw' only those of one actor's jobs, in each run another actor. 'mixed' uses random, pct, pos and urw in turn. 'exhaustive' tries all schedules in order. Without these words, up to 1,000 runs of 'exhaustive' alternate with up to 10,000 runs of 'mixed'. 'explore 500' allows 500 runs of 'mixed'. 'seed N' selects other random runs. 'until 1%' stops when the next random run has a chance of at most 1 % of a new behaviour, with 95 % confidence.",
        "Each run has seven built-in checks. 'no-stale-writes': a replaced, cancelled or reset load writes nothing. 'single-outcome': the outcome of a load does not change. 'latest-request-wins': at the end, the value is that of the latest load. 'completes': at the end, each load and each process has ended. 'no-leaked-work': at the end, no replaced load still runs, and no task of a scene waits. 'no-deadlock': no thread of a scene blocks forever. 'matches-model': a scene shows what its reference model (not your view model), if any, shows after the same calls in some order. 'disable CHECK' disables one. A failure that this session has already shown, or that also happens in the default schedule, is ignored and listed: the search looks for other failures. The search leaves out 'schedule' commands of the session and lists them.",
        "'generate' also generates commands after those of the session, at most 10 in each run: commands of the scenes, loads, cancellations, failures of requests, and waits. 'generate 20' allows 20. The transcript of a failure contains them. 'rehearse explore --generate' does the same for files and scenes.",
        "The report lists ten behaviours: that of the default schedule, then the most frequent ones. 'behaviours 20' lists 20, 'behaviours all' lists all.",
        "'table' shows the jobs of a failing run and of the nearest run that passes, instead of timelines: a column for each task, time downwards. '*' marks the differences.",
      ],
      problems: [
        "race, race condition, data race, flaky: runs the session under many schedules and shows what differs",
        "double tap, double submit, reentrancy: tries other orders of the same commands",
        "stale value, outdated result, wrong order: the checks 'no-stale-writes' and 'latest-request-wins' report it",
        "stuck spinner, endless loading, hang: the check 'completes' reports it",
        "leaked task, memory leak, work after cancellation: the check 'no-leaked-work' reports it",
      ],
      clauses: [
        .slot(runs),
        .oneOf(StrategyName.allCases.map { .keyword($0.rawValue) }),
        .sequence([.keyword("seed"), .slot(seed)]),
        .sequence([.keyword("until"), .slot(until)]),
        .sequence([.keyword("disable"), .slot(disabled)]),
        .keyword("keep-going"),
        .sequence([.keyword("generate"), .optional(.slot(generated))]),
        .sequence([.keyword("behaviours"), .oneOf([.keyword("all"), .slot(behaviours)])]),
        .keyword("table"),
      ],
      meanings: [
        "random": "each choice is random", "exhaustive": "all schedules in order",
        "keep-going": "continues after the first failure",
        "generate": "generates commands in each run",
        "pct": "random priorities of tasks, with a few changes",
        "pos": "random priorities of jobs", "urw": "each order is about equally probable",
        "surw": "each order of one actor's jobs is about equally probable",
        "mixed": "random, pct, pos and urw in turn",
        "until": "stops when a new behaviour is unlikely",
        "disable": "disables a built-in check",
        "behaviours": "the number of listed behaviours", "all": "no limit",
        "table": "the jobs of a failing run, a column for each task",
      ],
      effects: [.looks, .readsLog, .explores, .fitsWidth, .printsPrompts],
      examples: [
        """
        > loadable a
        > load a 1 after 1s
             0.000s  a  absent → loading #1
        > in 1s cancel a
        > explore
          5 runs of the session, all orders of suspension points and executor hops, if tasks share state only through actors: 3 behaviours
          1. 2 runs, including the default schedule
          2. 2 runs, for example 'schedule 3:1'
             > settle
             -    1.000s  a  loading #1 → loaded 1
             -    1.000s  a  loaded 1; nothing in flight to cancel
             +    1.000s  a  loading #1 → absent, #1 cancelled
             +    1.000s  a  #1 answered 1; too late, dropped
          3. 1 run, for example 'schedule 1:1'
             > settle
             -    1.000s  a  loading #1 → loaded 1
             -    1.000s  a  loaded 1; nothing in flight to cancel
             +    1.000s  a  loading #1 → absent, #1 cancelled
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let strategy = StrategyName.allCases.first { arguments.has($0.rawValue) }?.strategy()
    if let seed = arguments[seed], strategy == .exhaustive {
      throw Diagnostic(.misfit("all schedules in order have no seed"), at: seed.span)
    }
    if let until = arguments[until] {
      if strategy == .exhaustive {
        throw Diagnostic(
          .misfit("'until' needs random runs, and 'exhaustive' has none"),
          at: until.span,
          hint: "use 'mixed' or another random strategy"
        )
      }
      guard until.value > 0, until.value < 1 else {
        throw Diagnostic(
          .misfit("the limit of 'until' is above 0% and below 100%"),
          at: until.span,
          hint: "write it as in 'until 1%'"
        )
      }
    }
    let first = UInt64(arguments[seed]?.value ?? 0)
    let generates = arguments.has("generate")
    var plan = Exploration.Plan(
      strategy ?? StrategyName.mixed.strategy(),
      seeds: first..<first + UInt64(arguments[runs]?.value ?? Exploration.Plan.usualRuns),
      until: arguments[until]?.value,
      continuesAfterFailure: arguments.has("keep-going")
    )
    plan.mutates = generates
    plan.readsOutput = false
    try session.explore(
      plan,
      orAll: strategy == nil && !generates,
      generating: generates ? arguments[generated]?.value ?? SessionGrammar.usualCommands : nil,
      disabling: arguments[disabled] ?? [],
      showing: arguments.has("all")
        ? .max : arguments[behaviours]?.value ?? ExplorationText.usualBehaviours,
      inTable: arguments.has("table")
    )
  }

  private static let runs = Slot<Located<Int>>(
    "runs",
    "N",
    canBegin: { parser in
      parser.wordRange().map { parser.text($0).utf8.first.map(isDigit) ?? false } ?? false
    },
    read: { parser throws(Diagnostic) in
      try parser.integer("a number of runs", in: 1...1_000_000, example: "500")
    }
  )

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static let generated = Slot<Located<Int>>.integer(
    "generated",
    "a number of commands",
    in: 1...1_000
  )

  private static let seed = Slot<Located<Int>>.integer("seed", "a seed", in: 0...Int.max / 2)

  private static let until = Slot<Located<Double>>("until", "N%") { parser throws(Diagnostic) in
    try parser.share("a probability", example: "1%")
  }

  private static let behaviours = Slot<Located<Int>>.integer(
    "behaviours",
    "a number of behaviours",
    in: 1...1_000_000
  )

  private static let disabled = Slot<Set<BuiltInCheck>>("checks", "CHECK, …") {
    parser throws(Diagnostic) in
    var checks: Set<BuiltInCheck> = []
    repeat {
      let all = BuiltInCheck.allCases
      guard let check = all.first(where: { parser.accept($0.rawValue) != nil }) else {
        let former = all.first { $0.formerName.map(parser.isNext) == true }
        let hint =
          former.map { "'\($0.formerName ?? "")' is now '\($0.rawValue)'" }
          ?? "one of: " + all.map(\.rawValue).joined(separator: ", ")
        throw parser.expected("a built-in check", hint: hint)
      }
      checks.insert(check)
    } while parser.accept(byte: UInt8(ascii: ","))
    return checks
  }
}
