import Loading
import Script
import Staging
import Timelines

extension Session {
  /// Writes down what happened to a member and prints it, unless it is better told by what follows.
  func report<State>(
    _ observation: LoadObservation<State>,
    of member: DrivenMember<State>,
    isQuiet: Bool
  ) {
    report(
      observation,
      of: member,
      isLate: member.isLate(observation.change),
      isQuiet: isQuiet
    )
  }

  /// The same for what is known to be late or not. Inlined, since the other one runs once a load.
  @inline(__always)
  func report<State: ShellState>(
    _ observation: LoadObservation<State>,
    of member: some Member,
    isLate: Bool,
    isQuiet: Bool = false
  ) {
    changes.tell()
    let sentence = Sentence(
      observation: observation,
      isOfLateAttempt: isLate,
      isOfConstant: member.isConstant
    )
    write(
      observation.change.recordedKind,
      attempt: observation.change.attempt?.number,
      lane: member.lane,
      state: observation.after.state.text(attempt: nil),
      phase: Recording.Phase(observation.after.state.phase),
      answer: observation.change.recordedAnswer,
      process: observation.change.recordedProcess
    )
    guard !isQuiet, let text = sentence.text else { return }
    announce(member.name + "  " + text, lane: member.lane)
  }

  /// Writes down the end of an attempt that was cancelled before its turn came.
  func writeEnd(of attempt: Attempt, in lane: Int, state: some ShellState) {
    write(
      .ended(.cancelled, dropped: true),
      attempt: attempt.number,
      lane: lane,
      state: state.text(attempt: nil),
      phase: Recording.Phase(state.phase)
    )
  }

  /// Prints a line with the time in front of it, and keeps it for `log`.
  func announce(_ text: String, lane: Int?) {
    changes.tell()
    let now = stage.now.elapsed
    history.append(.init(lane: lane, time: now, text: text))
    emit(line(text, at: now))
    if !judges.untold.isEmpty { tellVerdicts() }
  }

  /// A line with its time in front of it.
  ///
  /// Times stand right-aligned in a column, up to 99999.999s.
  func line(_ text: String, at time: Duration) -> String {
    Self.line(text, inWords(time))
  }

  nonisolated private static func line(_ text: String, _ time: String) -> String {
    var (text, time) = (text, time)
    let indentation = max(0, 9 - time.utf8.count)
    // So is nearly all that a session prints: put together at once.
    return time.withUTF8 { time in
      text.withUTF8 { text in
        let count = indentation + time.count + 2 + text.count
        return String(unsafeUninitializedCapacity: count) { line in
          line[..<indentation].initialize(repeating: UInt8(ascii: " "))
          let end = line[indentation...].initialize(fromContentsOf: time)
          line[end..<end + 2].initialize(repeating: UInt8(ascii: " "))
          _ = line[(end + 2)...].initialize(fromContentsOf: text)
          return count
        }
      }
    }
  }

  /// Adds what happens now to the recording.
  func write(
    _ kind: Recording.Kind,
    attempt: Int? = nil,
    lane: Int,
    state: String? = nil,
    phase: Recording.Phase? = nil,
    answer: String? = nil,
    process: String? = nil
  ) {
    if !judges.all.isEmpty { judgeChange() }
    guard let index = laneNumbers.index(of: lane) else { return }
    recording.append(
      Recording.Event(
        time: stage.now.elapsed,
        lane: index,
        attempt: attempt,
        kind: kind,
        state: state,
        phase: phase,
        answer: answer,
        process: process,
        cause: passageIndex(cause)
      )
    )
  }
}

extension Session {
  /// Writes down that a member follows another policy from now on.
  func govern(_ member: some Member, by policy: LoadingPolicy, insteadOf former: LoadingPolicy) {
    guard policy != former, !member.isConstant else { return }
    write(.governed(by: Recording.Lane.machine(member.word, policy: policy)), lane: member.lane)
  }
}

extension Recording.Lane {
  /// The row of a member whose states the shell shows. Its machine is `word` alone where its own code
  /// decides, and nil where nothing ever moves it.
  @MainActor init(name: String, word: String, initial: some ShellState, machine: String?) {
    self.init(
      name: name,
      word: word,
      initial: initial.text(attempt: nil),
      phase: Recording.Phase(initial.phase),
      machine: machine
    )
  }

  /// What the rules are called by which such a member moves.
  static func machine(_ word: String, policy: LoadingPolicy) -> String {
    // A policy keeps its name when its axes are changed one by one.
    let isNamed = LoadingPolicy.named(policy.name) == policy
    return "\(word) \(policy.name)" + (isNamed ? "" : " (changed)")
  }
}

extension LoadObservation.Change where State: ShellState {
  /// The kind of process that begins.
  @MainActor fileprivate var recordedProcess: String? {
    if case .started(_, let kind, _, _) = self { State.name(of: kind) } else { nil }
  }

  /// What was delivered or thrown.
  @MainActor fileprivate var recordedAnswer: String? {
    switch self {
    case .yielded(_, let state, _): state.text(attempt: nil)
    case .answered(_, let answer, _), .stopped(_, let answer, _): answer.text
    case .retrying(_, _, _, _, let error): errorText(error)
    default: nil
    }
  }
}

extension LoadObservation.Answer where State: ShellState {
  @MainActor fileprivate var text: String? {
    switch self {
    case .returned(let output): State.text(of: output)
    case .failed(let error): errorText(error)
    case .askedToCancel: errorText(State.cancelError)
    case .askedToReset: errorText(State.resetError)
    case .finishedYielding, .cancelled: nil
    }
  }
}
