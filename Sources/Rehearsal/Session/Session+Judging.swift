import Exploring
import RehearsalBase
import Script
import Staging

/// What judges the whole run.
extension Session {
  /// The judges of a session.
  struct Judges {
    var all: [Judge] = []
    /// How many there ever were.
    var count = 0
    /// Number of run assertions for each text.
    var repetitions: [String: Int] = [:]
    /// Those whose verdict is still to be told.
    var untold: [Judge] = []
    /// Looks at the end of each instant, as long as there is anything to judge.
    var watch: QuietWatch?
  }

  /// Judges from now on, as the command says that is carried out; its words end at a byte of the text.
  func judge(_ rule: Judge.Rule, _ claim: Judge.Claim, endingAt end: Int) {
    judges.count += 1
    let text = String(
      decoding: execution.commandText.utf8.dropLast(execution.text.utf8.count - end),
      as: UTF8.self
    )
    let repetition = judges.repetitions[text, default: 0]
    judges.repetitions[text] = repetition + 1
    let judge = Judge(
      number: judges.count,
      text: text,
      repetition: repetition,
      rule: rule,
      claim: claim,
      in: self
    )
    judges.all.append(judge)
    note(judge)
    guard judges.watch == nil else { return }
    judges.watch = stage.whenQuiet { [weak self] in self?.judgeInstant() }
    history.beforeEvent = { [weak self] in self?.judgeChange() }
    output.afterEventLine = { [weak self] in self?.tellVerdicts() }
  }

  /// Judges what is over now, and what has just changed; that is told behind the line that tells of the change.
  func judgeChange() {
    each { $0.judgeTime(at: $1) }
    tellVerdicts()
    each { $0.judgeStates(at: $1) }
  }

  private func judgeInstant() {
    each {
      $0.judgeStates(at: $1)
      $0.judgeCount(at: $1)
      $0.judgeTime(at: $1)
    }
    tellVerdicts()
  }

  private func each(_ look: (Judge, Duration) -> Void) {
    let now = stage.now.elapsed
    for judge in judges.all where judge.verdict == .open {
      look(judge, now)
      note(judge)
    }
  }

  private func note(_ judge: Judge) {
    guard case .broken = judge.verdict else { return }
    judges.untold.append(judge)
  }

  /// Tells which judges were broken, as mistakes of the command during which they were.
  func tellVerdicts() {
    let untold = judges.untold
    judges.untold = []
    for judge in untold {
      guard let actual = actualValue(of: judge) else { continue }
      let sentence = "'\(judge.text.printable(atMost: 80))' is \(actual.text)"
      output.fail(
        Diagnostic(.expectationFailed(sentence), at: 0..<0),
        assertion: (judge.text, actual),
        repetition: judge.repetition
      )
    }
  }

  /// How a run assertion is violated; nil if it is not.
  private func actualValue(of judge: Judge) -> ActualValue? {
    guard case .broken(let time, let finding) = judge.verdict else { return nil }
    return .assertion(finding, at: ShownTime(time, options.settings.values.times))
  }

  /// How a judge has decided.
  func words(for judge: Judge) -> String {
    switch (judge.verdict, judge.rule) {
    case (.broken, _): actualValue(of: judge)?.text ?? ""
    case (.met(let time), _): "met at \(options.text(time))"
    case (.open, .eventually(by: let deadline)):
      "open" + (deadline.map { " until " + options.text($0) } ?? "")
    case (.open, .always), (.open, .never): "holding so far"
    case (.over(let time), _): "held until its member was forgotten at \(options.text(time))"
    }
  }

  /// What judges about members that go is over.
  func endJudges(of leaving: Set<ObjectIdentifier>) {
    for judge in judges.all {
      guard let member = judge.claim?.member, leaving.contains(ObjectIdentifier(member)) else {
        continue
      }
      let wasOpen = judge.verdict == .open
      judge.end(at: stage.now.elapsed)
      guard wasOpen else { continue }
      note(judge)
      if case .over = judge.verdict {
        output.print("'\(judge.text.printable(atMost: 80))' held until now, and ends")
      }
    }
    tellVerdicts()
  }

  func forgetJudge(_ number: Located<Int>) throws(Diagnostic) {
    guard let place = judges.all.firstIndex(where: { $0.number == number.value }) else {
      throw Diagnostic(
        .unknownJudge(number.value),
        at: number.span,
        hint: "'judges' lists them with their numbers"
      )
    }
    judges.all.remove(at: place)
  }
}

extension Judge {
  /// Whether it is an `eventually` that is not met: it is open, or its member was forgotten before.
  fileprivate var isUnmet: Bool {
    guard case .eventually = rule else { return false }
    if case .over = verdict { return true }
    return verdict == .open
  }

  fileprivate var deadline: Duration? {
    if case .eventually(by: let deadline) = rule { deadline } else { nil }
  }
}

/// A run assertion that is open at the end of a run.
struct OpenJudge: Hashable, Sendable {
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
  var openJudges: [OpenJudge] {
    stage.enter { [session] in
      session.judges.all.filter(\.isUnmet).map {
        OpenJudge(text: $0.text, repetition: $0.repetition)
      }
    }
  }

  /// When the time is over of all that was to be met, whether it has been or not; nil where none has one.
  var lastDeadline: Duration? {
    stage.enter { [session] in session.judges.all.compactMap(\.deadline).max() }
  }
}
