import Exploring
import RehearsalBase
import Script
import Staging

/// The run assertions of a session: when they are checked, and how their violations are printed.
@MainActor final class RunAssertions {
  private let stage: Stage
  private let execution: CommandExecution
  private let options: SessionOptions
  private let history: SessionHistory
  private let output: SessionOutput

  private(set) var all: [RunAssertion] = []
  /// Notes about each `sometimes` that was removed before it held.
  private var forgotten: [String] = []
  /// Number of run assertions ever added.
  private(set) var count = 0
  /// Number of run assertions for each text.
  private var repetitions: [String: Int] = [:]
  /// The violated ones that have not been printed.
  private var unprinted: [RunAssertion] = []
  /// The check at the end of each instant; nil if no assertion needs it.
  private var watch: QuietWatch?

  init(
    stage: Stage,
    execution: CommandExecution,
    options: SessionOptions,
    history: SessionHistory,
    output: SessionOutput
  ) {
    (self.stage, self.execution, self.options) = (stage, execution, options)
    (self.history, self.output) = (history, output)
  }

  /// Adds the run assertion of the current command, whose text ends at a byte of the command.
  func add(
    _ rule: RunAssertion.Rule,
    _ claim: RunAssertion.Claim,
    endingAt end: Int,
    footprint: SessionFootprint
  ) {
    count += 1
    let text = String(
      decoding: execution.commandText.utf8.dropLast(execution.text.utf8.count - end),
      as: UTF8.self
    )
    let repetition = repetitions[text, default: 0]
    repetitions[text] = repetition + 1
    let assertion = RunAssertion(
      number: count,
      text: text,
      repetition: repetition,
      rule: rule,
      claim: claim,
      execution: execution,
      footprint: footprint
    )
    all.append(assertion)
    note(assertion)
    guard watch == nil else { return }
    watch = stage.whenQuiet { [weak self] in self?.checkInstant() }
    history.beforeEvent = { [weak self] in self?.checkChange() }
    output.afterEventLine = { [weak self] in self?.printViolations() }
  }

  /// Ends the assertions whose time is over, and checks the latest change. A violation by the
  /// change is printed after its event line.
  func checkChange() {
    each { $0.checkTime(at: $1) }
    printViolations()
    each { $0.checkStates(at: $1) }
  }

  private func checkInstant() {
    for assertion in all where assertion.verdict == .open { assertion.claim?.member?.refresh() }
    each {
      $0.checkStates(at: $1)
      $0.checkCount(at: $1)
      $0.checkTime(at: $1)
    }
    printViolations()
  }

  private func each(_ look: (RunAssertion, Duration) -> Void) {
    let now = stage.now.elapsed
    for assertion in all where assertion.verdict == .open {
      look(assertion, now)
      note(assertion)
    }
  }

  private func note(_ assertion: RunAssertion) {
    guard case .violated = assertion.verdict else { return }
    unprinted.append(assertion)
  }

  /// Prints the violations, as failures of the command during which they were found.
  func printViolations() {
    let violated = unprinted
    unprinted = []
    for assertion in violated {
      guard let actual = actualValue(of: assertion) else { continue }
      let sentence = "'\(assertion.text.printable(atMost: 80))' is \(actual.text)"
      output.fail(
        Diagnostic(.expectationFailed(sentence), at: 0..<0),
        assertion: (assertion.text, actual),
        repetition: assertion.repetition
      )
    }
  }

  /// Returns how a run assertion is violated; nil if it is not.
  private func actualValue(of assertion: RunAssertion) -> ActualValue? {
    guard case .violated(let time, let finding) = assertion.verdict else { return nil }
    return .assertion(finding, at: ShownTime(time, options.settings.values.times))
  }

  /// Returns the state of an assertion as text.
  func words(for assertion: RunAssertion) -> String {
    switch (assertion.verdict, assertion.rule) {
    case (.violated, _): actualValue(of: assertion)?.text ?? ""
    case (.met(let time), .sometimes): "held at \(options.text(time))"
    case (.met(let time), _): "met at \(options.text(time))"
    case (.open, .eventually(by: let deadline)):
      "open" + (deadline.map { " until " + options.text($0) } ?? "")
    case (.open, .always), (.open, .never):
      if stage.hasWorkNow, case .count = assertion.claim {
        "checked at the end of this instant"
      } else {
        "holding so far"
      }
    case (.open, .sometimes): "has not held"
    case (.over(let time), .sometimes):
      "did not hold until its member was forgotten at \(options.text(time))"
    case (.over(let time), _): "held until its member was forgotten at \(options.text(time))"
    }
  }

  /// Ends the run assertions about members that are forgotten.
  func end(of leaving: Set<ObjectIdentifier>) {
    for assertion in all {
      guard let member = assertion.claim?.member, leaving.contains(ObjectIdentifier(member)) else {
        continue
      }
      let wasOpen = assertion.verdict == .open
      assertion.end(at: stage.now.elapsed)
      guard wasOpen else { continue }
      note(assertion)
      if case .over = assertion.verdict {
        let held = assertion.rule == .sometimes ? "did not hold" : "held"
        let line = "'\(assertion.text.printable(atMost: 80))' \(held) until now, and ends"
        output.print(line, kind: .note)
      }
    }
    printViolations()
  }

  /// Notes about run assertions that may be misspelt: that limit a number of requests, and no request has matched; or that
  /// are about a part which no value has had.
  var notes: [String] {
    all.filter(\.hasMatchedNothing).map {
      "no request matched '\($0.text.printable(atMost: 200))'\($0.place)"
    }
      + all.filter(\.isAboutMissingPart).map {
        "no value has had the part of '\($0.text.printable(atMost: 200))'\($0.place)"
      } + forgotten
  }

  func removeAll() { (all, unprinted, watch) = ([], [], nil) }

  func remove(_ number: Located<Int>) throws(Diagnostic) {
    guard let place = all.firstIndex(where: { $0.number == number.value }) else {
      throw Diagnostic(
        .unknownAssertion(number.value),
        at: number.span,
        hint: "'assertions' lists them with their numbers"
      )
    }
    let assertion = all.remove(at: place)
    if assertion.rule == .sometimes, assertion.verdict == .open {
      forgotten.append(
        "'\(assertion.text.printable(atMost: 200))'\(assertion.place) was forgotten before it held"
      )
    }
  }
}

extension RunAssertion {
  /// Whether it is an `eventually` that was not met: it is open, or its member was forgotten before
  /// it was met.
  fileprivate var isUnmet: Bool {
    guard case .eventually = rule else { return false }
    if case .over = verdict { return true }
    return verdict == .open
  }

  /// Whether it still holds, because no value of its member has had the part that it is about.
  @MainActor fileprivate var isAboutMissingPart: Bool {
    guard verdict == .open, case .never = rule, case .state(let pattern, of: let member)? = claim
    else { return false }
    return member.hasNeverHadPart(of: pattern)
  }

  /// Whether it still holds, because no request was counted. A count of 0 says that none is
  /// expected.
  fileprivate var hasMatchedNothing: Bool {
    guard verdict == .open, case .count(let count, of: nil, let found, let isExact)? = claim else {
      return false
    }
    switch rule {
    case .eventually, .sometimes: return false
    case .always, .never: break
    }
    return count.number > 0 && isExact() && found() == 0
  }

  fileprivate var deadline: Duration? {
    if case .eventually(by: let deadline) = rule { deadline } else { nil }
  }
}

/// A run assertion that is open at the end of a run.
struct OpenRunAssertion: Hashable, Sendable {
  let text: String
  /// Number of earlier run assertions with the same text.
  let repetition: Int

  var check: CheckID { .runAssertion(text) }

  /// The identity of the failure.
  var identity: ScriptFailure.Identity {
    ScriptFailure.Identity(culprit: .runAssertion(text), kind: nil, repetition: repetition)
  }
}

extension SessionHost {
  /// The run assertions that are not met yet and whose time is not over.
  var openAssertions: [OpenRunAssertion] {
    stage.enter { [session] in
      session.assertions.all.filter(\.isUnmet).map {
        OpenRunAssertion(text: $0.text, repetition: $0.repetition)
      }
    }
  }

  /// The `sometimes` assertions, and whether each has held so far.
  func sometimes(isWhole: Bool) -> [(assertion: RunAssertion, hasHeld: Bool)] {
    stage.enter { [session] in
      session.assertions.all.filter { $0.rule == .sometimes }.map { assertion in
        // A count is final at the end of the run.
        if isWhole { assertion.checkCount(at: session.stage.now.elapsed) }
        if case .met = assertion.verdict { return (assertion, true) }
        return (assertion, false)
      }
    }
  }

  /// The latest deadline of all `eventually` assertions, met or not; nil if none has a deadline.
  var lastDeadline: Duration? {
    stage.enter { [session] in session.assertions.all.compactMap(\.deadline).max() }
  }
}
