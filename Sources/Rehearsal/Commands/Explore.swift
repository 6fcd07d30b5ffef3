import Exploring
import Script

extension ShellCommand {
  static let explore = ShellCommand(
    definition: CommandDefinition(
      "explore",
      topic: .session,
      summary: "Performs the session so far in other orders, and shows what differs.",
      details: [
        "What is due at the same instant comes in another order in each run, and what was left open is chosen anew. Each run is a session of its own, without a network, in which files are read and none is written; this one is not touched. 'expect' says what has to hold in all of them. What fails is shown as a transcript, as short as can be; the first failure ends it, unless 'keep-going' is said.",
        "Without more, a thousand schedules are tried in order, and where these are not all, 10,000 by chance and by priorities in turn: 'explore 500' does 500 of these, 'random', 'priorities', 'mixed' and 'exhaustive' say how they are chosen, 'seed N' chooses others.",
        "Beside what 'expect' says it is judged that nothing superseded writes, a settled attempt stays settled, the last thing asked for is shown at the end, nothing is stuck, and nothing is left over. The search ignores and lists a failure that the session has shown already, and a rule that the default schedule breaks too. It leaves out a 'schedule', and what 'allow superseded', 'settled', 'last-asked', 'stuck' or 'left-over' names.",
        "Ten behaviours are shown: that of the plain run, then those that most runs showed. 'behaviours 20' shows as many, 'behaviours all' all of them.",
      ],
      clauses: [
        .slot(runs),
        .oneOf(StrategyName.allCases.map { .keyword($0.rawValue) }),
        .sequence([.keyword("seed"), .slot(seed)]),
        .sequence([.keyword("allow"), .slot(allowed)]),
        .keyword("keep-going"),
        .sequence([.keyword("behaviours"), .oneOf([.keyword("all"), .slot(behaviours)])]),
      ],
      meanings: [
        "random": "each decision by chance", "exhaustive": "schedules in order, each once",
        "keep-going": "goes on behind the first failure",
        "priorities": "by priorities of tasks, which change now and then",
        "mixed": "by chance and by priorities in turn", "allow": "what is not judged",
        "behaviours": "how many are shown", "all": "however many there are",
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
          1. 2 runs, the plain one among them
          2. 2 runs, as by 'schedule 3:1'
             > settle
             -    1.000s  a  loading #1 → loaded 1
             -    1.000s  a  loaded 1; nothing in flight to cancel
             +    1.000s  a  loading #1 → absent, #1 cancelled
             +    1.000s  a  #1 answered 1; too late, dropped
          3. 1 run, as by 'schedule 1:1'
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
    let first = UInt64(arguments[seed]?.value ?? 0)
    try session.explore(
      Exploration.Plan(
        strategy ?? StrategyName.mixed.strategy(),
        seeds: first..<first + UInt64(arguments[runs]?.value ?? Exploration.Plan.usualRuns),
        continuesAfterFailure: arguments.has("keep-going")
      ),
      orAll: strategy == nil,
      allowing: arguments[allowed] ?? [],
      showing: arguments.has("all")
        ? .max : arguments[behaviours]?.value ?? ExplorationText.usualBehaviours
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

  private static let seed = Slot<Located<Int>>.integer("seed", "a seed", in: 0...Int.max / 2)

  private static let behaviours = Slot<Located<Int>>.integer(
    "behaviours",
    "a number of behaviours",
    in: 1...1_000_000
  )

  private static let allowed = Slot<Set<BuiltInCheck>>("rules", "RULE, …") {
    parser throws(Diagnostic) in
    var rules: Set<BuiltInCheck> = []
    repeat {
      var rule: BuiltInCheck?
      for candidate in BuiltInCheck.allCases where rule == nil {
        if parser.accept(candidate.rawValue) != nil { rule = candidate }
      }
      guard let rule else {
        let names = BuiltInCheck.allCases.map(\.rawValue).joined(separator: ", ")
        throw parser.expected("a rule", hint: "one of: \(names)")
      }
      rules.insert(rule)
    } while parser.accept(byte: UInt8(ascii: ","))
    return rules
  }
}
