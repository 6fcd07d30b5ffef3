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
        "What the load does is said first: answer a VALUE, make a request over HTTP ('from [METHOD] TARGET', 'from endpoint NAME'), 'fail' with an ERROR, hand over several values ('yielding V after D, V after D …', each delay counting from the one before, then maybe 'then fail ERROR after D'), throw CancelLoadable or ResetLoadable ('cancelling', 'resetting'), or 'never' answer. A loadable with a source of its own needs no word, and a member of a scene takes none.",
        "A TARGET is a path, which the session's routes answer, or the URL of a server that 'allow' has allowed. 'sending json VALUE' or 'sending text \"…\"' gives the request a body, 'with NAME \"value\"' a header field; 'over socket' sends it to the routes that 'serve' serves.",
        "The clauses say how. 'after' delays the answer. A 'silently' started load leaves the state alone until it answers. An 'uncancellable' load ignores its cancellation. 'on cancel' sets what the block does when it is cancelled. 'awaited' goes through the async overload, in a task of a caller's own; 'awaited cancelled' is in one that was cancelled before. 'interrupt after D, D' calls onInterrupt after these delays, each counting from the one before; 'do' runs a command then, 'throw' ends the load at the last of them. 'timeout D' throws TimeoutError then. 'failing ERROR times N' makes the first N tries fail, and 'retry N' tries again up to N times.",
        "What is left open is decided by 'explore', try by try: a delay as a range, 'after 100ms to 400ms', which is the shorter one otherwise, and how the load ends, '1 or fail \"x\" or never', otherwise as is said first.",
      ],
      arguments: [.slot(Slot<Located<String>>.loadable), .optional(.slot(loadAnswer))],
      clauses: startClauses,
      meanings: ["to": "or up to so long"],
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
        > loadable profile
        > load profile 1 or fail "no network" after 1s
             0.000s  profile  absent → loading #1
        > settle
             1.000s  profile  loading #1 → loaded 1
        > schedule 1:1
        > retry profile
             1.000s  profile  loaded 1 → loading #2
        > settle
             2.000s  profile  loading #2 → error "no network"
        """,
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let name = arguments.required(.loadable)
    let member = try session.member(name, of: "loadable")
    if member.word == "custom source" { try session.requireNothing(after: name, in: arguments) }
    var request = arguments[loadAnswer] ?? StartRequest()
    try request.takeClauses(arguments, of: name, session.scheduling)
    try member.start(request)
  }

  static let run = ShellCommand(
    definition: CommandDefinition(
      "run",
      topic: .loading,
      summary: "Starts a run of a process.",
      details: [
        "A process with several kinds is told which. Without more, the run just ends; it may also 'fail', 'never' end, or throw CancelProcess or ResetProcess ('cancelling', 'resetting'). The clauses are those of 'load'."
      ],
      arguments: [
        .slot(Slot<Located<String>>.process), .optional(.slot(kindSlot)), .slot(runAnswer),
      ],
      clauses: startClauses,
      meanings: ["to": "or up to so long"],
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
    let member = try session.member(name, of: "process")
    var request = arguments.required(runAnswer)
    try request.takeClauses(arguments, of: name, session.scheduling)
    request.kind = arguments[kindSlot]
    if request.kind == nil, !member.kinds.isEmpty {
      throw Diagnostic(
        .missingKind(of: member.name),
        at: name.span,
        hint: "its kinds are " + member.kinds.joined(separator: ", ")
      )
    }
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
  private static let kindSlot = Slot<Located<String>>(
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
  /// Takes the clauses of `load` and `run`.
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
        hint: "an uncancellable block never hears of its cancellation"
      )
    }
    if let name = arguments[ShellCommand.priorityName] {
      priority = try Self.priority(name)
      if isAwaited, let span = arguments.span(of: "awaited") {
        throw Diagnostic(
          .conflictingClauses("awaited", "priority"),
          at: span,
          hint: "the async overload has no priority: it waits in its caller's task"
        )
      }
    }
  }

  /// How late they are is decided with the command: the library is told of all of them at the start.
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

  /// How often the block is tried again, and after which pauses; nil for once.
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
  /// A member of one family only.
  func member(_ name: Located<String>, of word: String) throws(Diagnostic) -> any Member {
    let member = try self.member(name)
    guard member.word == word || word == "loadable" && member.isCustom else {
      throw Diagnostic(
        .wrongMember(member.name, is: member.word, needed: word),
        at: name.span,
        hint: impetus(of: member)
      )
    }
    return member
  }

  /// What makes a member move, for whoever tried what does not.
  func impetus(of member: any Member) -> String {
    if commands.available.contains(where: { $0.definition.verb == member.name }) {
      return "'\(member.name)' starts it"
    }
    return switch member.word {
    case "loadable" where !member.isCustom: "'load \(member.name) …' starts it"
    case "custom source": "'load \(member.name)' starts it"
    case "process" where !member.isCustom: "'run \(member.name) …' starts it"
    case "input": "what comes from it is entered, as in 'enter \(member.name) \"text\"'"
    case "pipe": "a pipe subscribes by itself, when it is made"
    case "publisher", "marble diagram": "it sends to the pipes that begin with it"
    default: "its own code moves it"
    }
  }

  /// Refuses what would say how a custom source loads.
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
      hint: "'load \(name.value)' starts it; what it does is up to its own code"
    )
  }
}
