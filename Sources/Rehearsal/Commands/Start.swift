import Loading
import RehearsalBase
import Script

extension ShellCommand {
  static let load = ShellCommand(
    definition: CommandDefinition(
      "load",
      topic: .loading,
      summary: "Starts a load of a loadable.",
      details: [
        "The answer comes first: a VALUE, 'fail ERROR', 'never', or a request over HTTP ('from [METHOD] TARGET', 'from endpoint NAME'). 'yielding V after D, V after D …' gives several values; each delay begins at the value before, and 'then fail ERROR after D' may end them. 'cancelling' throws CancelLoadable: the load cancels itself. 'resetting' throws ResetLoadable: the load resets the loadable. After 'loadable posts from /posts', 'load posts' needs no answer. 'help endpoint' explains 'from endpoint'.",
        "A TARGET is a path, which the routes of the session answer, or a URL whose host is in a route or allowed by 'allow'. 'sending json VALUE' and 'sending text \"…\"' set the body of the request, 'with NAME \"value\"' adds a header field, 'over socket' sends it to the server of 'serve'.",
        "The clauses follow. 'after' delays the answer. 'silently' keeps the state until the answer. 'uncancellable' ignores cancellation. 'on cancel OUTCOME' sets what a cancelled load answers: a VALUE, or 'fail ERROR'. 'awaited' starts the load from a task that awaits it, as '.task' of a view does; with 'awaited cancelled' that task is cancelled before it starts the load. 'interrupt after D, D' prints a line after these delays, each counted from the one before, and the load continues (in Swift, the argument 'onInterrupt' of 'load' and 'run'). 'do' runs a command at each, and 'throw' ends the load at the last. 'timeout D' throws TimeoutError after D. 'failing ERROR times N' makes the first N tries fail, and 'retry N' tries again at most N times. 'backoff D' waits before a retry: D, then 2 D, 4 D and so on; 'jitter' shortens these delays at random. 'priority P' sets the priority of the task.",
        "A delay may be a range, 'after 100ms to 400ms', and an answer may have alternatives, '1 or fail \"x\" or never'. A session takes the shorter delay and the first answer; 'explore' also takes the others, and chooses again in each try. 'schedule 1:1' takes choice 1 at decision 1: the second alternative, because choices count from 0. 'help schedule' explains more.",
      ],
      problems: [
        "latency, slow answer: 'after 2s' delays the answer",
        "mock, stub, fake: answers with a value, without a request",
        "pagination, next page, infinite scroll: 'load feed from /feed?page=2' loads a page; a load replaces the whole value",
        "stream, AsyncStream, progress: 'yielding' gives several values",
        "flaky, unreliable: 'failing ERROR times N' makes the first tries fail",
      ],
      arguments: [.slot(Slot<Located<String>>.loadable), .optional(.slot(loadAnswer))],
      clauses: startClauses,
      meanings: ["to": "or at most this delay"],
      examples: [
        """
        > loadable profile: String
        > load profile "Ann" after 250ms
             0.000s  profile  absent → loading #1
        > settle
             0.250s  profile  loading #1 → loaded "Ann"
        """,
        """
        > loadable profile: String
        > load profile "old" after 3s uncancellable
             0.000s  profile  absent → loading #1
        > wait 1s
        > load profile "new" after 1s
             1.000s  profile  loading #1 → loading #2
        > settle
             2.000s  profile  loading #2 → loaded "new"
             3.000s  profile  #1 answered "old"; too late, dropped
        """,
        """
        > loadable report
        > load report never interrupt after 2s timeout 5s
             0.000s  report  absent → loading #1
        > settle
             2.000s  report  #1 interrupted after 2s
             5.000s  report  loading #1 → error timeout, #1 stopped by timeout
        """,
        """
        > schedule 1:1
        > loadable profile
        > load profile 1 or fail "no network" after 1s
             0.000s  profile  absent → loading #1
        > settle
             1.000s  profile  loading #1 → error "no network"
        """,
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.loadable)
    let member = try session.member(name, of: "loadable")
    if member.word == "custom source" { try session.requireNothing(after: name, in: arguments) }
    var request = arguments[loadAnswer] ?? StartRequest()
    try request.takeClauses(arguments, of: name, session.scheduling)
    request.noteMissingClauses(of: member, session.output)
    try member.start(request)
  }

  static let run = ShellCommand(
    definition: CommandDefinition(
      "run",
      topic: .loading,
      summary: "Starts a run of a process.",
      details: [
        "KIND is required if the process has several kinds. By default the run ends at once. It may also 'fail', 'never' end, or throw CancelProcess ('cancelling') or ResetProcess ('resetting'). The clauses are those of 'load'."
      ],
      arguments: [
        .slot(Slot<Located<String>>.process), .optional(.slot(startedKind)), .slot(runAnswer),
      ],
      clauses: startClauses,
      meanings: ["to": "or at most this delay"],
      examples: [
        """
        > process sync
        > run sync fail "no network" after 1s
             0.000s  sync  idle → running #1
        > settle
             1.000s  sync  running #1 → failed "no network"
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.process)
    if name.value == "until", session.members[name.value] == nil {
      throw Diagnostic(
        .unknownMember(name.value),
        at: name.span,
        hint: "'settle' runs until nothing is left to do; 'wait D' lets D pass"
      )
    }
    let member = try session.member(name, of: "process")
    var request = arguments.required(runAnswer)
    try request.takeClauses(arguments, of: name, session.scheduling)
    request.kind = arguments[startedKind]
    if request.kind == nil, !member.kinds.isEmpty {
      throw Diagnostic(
        .missingKind(of: member.name),
        at: name.span,
        hint: "its kinds are " + member.kinds.joined(separator: ", ")
      )
    }
    request.noteMissingClauses(of: member, session.output)
    try member.start(request)
  }

  fileprivate static let loadAnswer = Slot<StartRequest>(
    "answer",
    "ANSWER",
    expecting: (["yielding"] + StartRequest.Outcome.words).map { .keyword($0) }
      + [.sample("a JSON value", example: "\"text\"")]
  ) { parser throws(Diagnostic) in try parser.loadAnswer() }
  private static let runAnswer = Slot<StartRequest>("answer", "[ANSWER]") {
    parser throws(Diagnostic) in try parser.runAnswer()
  }
  static let startedKind = Slot<Located<String>>(
    "kind",
    "KIND",
    expecting: [.kind],
    canBegin: { $0.isNextFreeWord() && !$0.isNextOutcome },
    read: { parser throws(Diagnostic) in try parser.word("a kind") }
  )

  static let after = Slot<Located<DurationRange>>.durationRange("after")
  static let timeout = Slot<Located<Duration>>.duration("timeout")
  static let interruptDelay = Slot<Located<DurationRange>>.durationRange("interrupt")
  static let backoff = Slot<Located<Duration>>.duration("backoff")
  static let retries = Slot<Located<Int>>.integer("retries", "a number of retries", in: 0...1000)
  static let failingTries = Slot<Located<Int>>.integer("failing", "a number of tries", in: 1...1000)
  static let failingError = Slot<Located<ErrorSpec>>("failingError", "ERROR") {
    parser throws(Diagnostic) in
    if let count = parser.wordRange().flatMap({ Int(parser.text($0)) }) {
      throw parser.expected("an error", hint: "write 'failing ERROR times \(count)'")
    }
    return try parser.error()
  }
  static let onCancel = Slot<Located<StartRequest.Outcome>>("onCancel", "OUTCOME") {
    parser throws(Diagnostic) in
    let start = parser.position
    if let outcome = try parser.outcomeIfAny() {
      return Located(outcome, at: start..<parser.endOfTaken)
    }
    let value = try parser.value()
    return Located(.value(value), at: value.span)
  }
  static let thrown = Slot<Located<StartRequest.Outcome>>("thrown", "ERROR") {
    parser throws(Diagnostic) in
    let start = parser.position
    if parser.accept("cancelling") != nil {
      return Located(.cancelling, at: start..<parser.endOfTaken)
    }
    if parser.accept("resetting") != nil {
      return Located(.resetting, at: start..<parser.endOfTaken)
    }
    let error = try parser.error()
    return Located(.fail(error.value), at: error.span)
  }
  static let interruptCommand = Slot<ParsedCommand>.command(of: "do")
  static let priorityName = Slot<Located<String>>(
    "priority",
    "P",
    expecting: priorities.map { .keyword($0.name) }
  ) { parser throws(Diagnostic) in try parser.word("a priority") }

  static let priorities: [(name: String, priority: TaskPriority)] = [
    ("high", .high), ("medium", .medium), ("low", .low), ("background", .background),
    ("userInitiated", .userInitiated), ("utility", .utility),
  ]

  private static let startClauses: [Syntax] = [
    .sequence([.keyword("after"), .slot(after)]),
    .keyword("silently"),
    .keyword("uncancellable"),
    .sequence([.keyword("awaited"), .optional(.keyword("cancelled"))]),
    .sequence([.keyword("on"), .keyword("cancel"), .slot(onCancel)]),
    .sequence([.keyword("timeout"), .slot(timeout)]),
    .sequence([.keyword("failing"), .slot(failingError), .keyword("times"), .slot(failingTries)]),
    .sequence([
      .keyword("retry"), .slot(retries),
      .optional(.sequence([.keyword("backoff"), .slot(backoff)])), .optional(.keyword("jitter")),
    ]),
    .sequence([.keyword("priority"), .slot(priorityName)]),
    .sequence([
      .keyword("interrupt"), .keyword("after"), .list(.slot(interruptDelay)),
      .optional(
        .oneOf([
          .sequence([.keyword("throw"), .slot(thrown)]),
          .sequence([.keyword("do"), .slot(interruptCommand)]),
        ])
      ),
    ]),
  ]
}

extension StartRequest {
  /// Prints a note about each clause that has no effect, because another one is missing.
  @MainActor fileprivate func noteMissingClauses(of member: any Member, _ output: SessionOutput) {
    if failing != nil, retries == nil {
      let command = "retry \(member.name)"
      output.print(
        .note("without 'retry N' it ends at the first failing try; '\(command)' fails, too")
      )
    }
    if let timeout, timeout.value > .zero, answersAtOnce {
      output.print(
        .note(
          "it answers at once, so 'timeout \(timeout.value.compact)' has no effect; 'after D' delays the answer"
        )
      )
    }
  }

  /// Whether no time passes between the start and the end.
  private var answersAtOnce: Bool {
    guard after == nil, delay == nil, backoff == nil, yields.allSatisfy({ $0.delay == nil }) else {
      return false
    }
    let outcomes = [outcome] + alternatives
    return outcomes.allSatisfy { outcome in
      switch outcome {
      case .value, .done, .fail, .cancelling, .resetting: true
      // A load without an answer sends the default request.
      case .never, .request, nil: false
      }
    }
  }

  /// Reads the clauses of `load` and `run`.

  @MainActor fileprivate mutating func takeClauses(
    _ arguments: Arguments,
    of name: Located<String>,
    _ scheduling: SessionScheduling
  ) throws(Diagnostic) {
    span = name.span
    after = arguments[ShellCommand.after]
    isSilent = arguments.has("silently")
    isUncancellable = arguments.has("uncancellable")
    isAwaited = arguments.has("awaited")
    isCallerCancelled = arguments.has("cancelled")
    whenCancelled = arguments[ShellCommand.onCancel]
    timeout = arguments[ShellCommand.timeout]
    interrupts = Self.interrupts(in: arguments, scheduling)
    if let error = arguments[ShellCommand.failingError],
      let tries = arguments[ShellCommand.failingTries]
    {
      failing = (error.value, tries.value)
    }
    retries = arguments[ShellCommand.retries]?.value
    backoff = arguments[ShellCommand.backoff]
    hasJitter = arguments.has("jitter")
    if isUncancellable, whenCancelled != nil, let span = arguments.span(of: "uncancellable") {
      throw Diagnostic(
        .conflictingClauses("uncancellable", "on cancel"),
        at: span,
        hint: "an uncancellable load is not informed when it is cancelled"
      )
    }
    if let name = arguments[ShellCommand.priorityName] {
      priority = try Self.priority(name)
      if isAwaited, let span = arguments.span(of: "awaited") {
        throw Diagnostic(
          .conflictingClauses("awaited", "priority"),
          at: span,
          hint: "the async overload has no priority: it runs in the task of its caller"
        )
      }
    }
  }

  /// The delays are chosen when the command runs: the library needs all of them at the start.
  @MainActor private static func interrupts(
    in arguments: Arguments,
    _ scheduling: SessionScheduling
  ) -> [Interrupt] {
    let delays = arguments.all(ShellCommand.interruptDelay)
    var (time, latest) = (Duration.zero, Duration.zero)
    return delays.enumerated().map { index, delay in
      time += scheduling.choose(delay.value, from: time)
      latest += delay.value.upperBound
      let action = action(in: arguments, isLast: index == delays.count - 1)
      return Interrupt(time: time, latest: latest, span: delay.span, action: action)
    }
  }

  private static func action(in arguments: Arguments, isLast: Bool) -> Interrupt.Action {
    if let thrown = arguments[ShellCommand.thrown], isLast { return .outcome(thrown.value) }
    return arguments[ShellCommand.interruptCommand].map { .command($0) } ?? .note
  }

  /// Returns the number of retries with their delays; nil without retries.
  var retry: RetryPolicy? {
    guard let retries else { return failing == nil ? nil : RetryPolicy(tries: 1) }
    let backoff = backoff?.value ?? .zero
    return RetryPolicy(
      tries: retries + 1,
      backoff: backoff == .zero ? .none : .exponential(initial: backoff),
      jitterInPercent: hasJitter ? 100 : 0
    )
  }

  private static func priority(_ name: Located<String>) throws(Diagnostic) -> TaskPriority {
    let all = ShellCommand.priorities
    if let priority = all.first(where: { $0.name == name.value }) { return priority.priority }
    let names = all.map(\.name)
    throw Diagnostic(
      .expected("a priority", found: name.value),
      at: name.span,
      Hint.nearest(to: name.value, in: names)
        ?? .advice("the priorities are " + names.joined(separator: ", "))
    )
  }
}

@MainActor extension Session {
  /// Returns the member of that name, if it is of the right family.
  func member(_ name: Located<String>, of word: String) throws(Diagnostic) -> any Member {
    let member = try self.member(name, madeBy: word)
    guard member.word == word || word == "loadable" && member.isCustom else {
      throw Diagnostic(
        .wrongMember(member.name, is: member.word, needed: word),
        at: name.span,
        hint: impetus(of: member)
      )
    }
    return member
  }

  /// Returns a hint with the command that moves a member, for a command that cannot.
  func impetus(of member: any Member) -> String {
    // A scene may have a command with the name of its member.
    let isOwnVerb =
      ShellCommands.table.index(of: member.name) == nil
      && commands.table.index(of: member.name) != nil
    if isOwnVerb { return "'\(member.name)' starts it" }
    return switch member.word {
    case "loadable" where !member.isCustom: "'load \(member.name) …' starts it"
    case "custom source": "'load \(member.name)' starts it"
    case "process" where !member.isCustom: "'run \(member.name) …' starts it"
    case "input": "'enter \(member.name) \"text\"' enters a value"
    case "pipe": "a pipe subscribes by itself when it is created"
    case "publisher", "marble diagram": "it sends values to the pipes that name it"
    default: "only its own code changes it"
    }
  }

  /// Throws an error for words that say how a load runs: a custom source decides that itself.
  fileprivate func requireNothing(
    after name: Located<String>,
    in arguments: Arguments
  ) throws(Diagnostic) {
    let words = ShellCommand.load.definition.clauseWords
    guard arguments[ShellCommand.loadAnswer] != nil || words.contains(where: arguments.has) else {
      return
    }
    let text = Array(execution.text.utf8)
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") }
    let start = text[name.span.upperBound...].firstIndex { !isBlank($0) } ?? text.count
    let end = text.lastIndex { !isBlank($0) } ?? start
    throw Diagnostic(
      .takesNoAnswer(name.value),
      at: start..<end + 1,
      hint: "'load \(name.value)' starts it; its own code does the rest"
    )
  }
}
