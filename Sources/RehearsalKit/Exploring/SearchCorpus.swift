import Exploring
import Harness
import Rehearsal
import RehearsalBase
import Workers

/// The transcripts of a folder, which a search that generates commands replays first.
struct SearchCorpus {
  private let files: [String]
  /// Notes about the folder, and about its files and folders that are not replayed.
  let notes: [String]
  private let disabled: Set<BuiltInCheck>
  private let limits: WorkerLimits

  /// - Parameters:
  ///   - folder: the folder. It may be missing: the search creates it for its first failure.
  ///   - disabled: the disabled built-in checks.
  ///   - limits: the limits of a worker.
  /// - Throws: if it is no folder.
  init(
    _ folder: String,
    _ disabled: Set<BuiltInCheck>,
    _ limits: WorkerLimits
  ) throws(SubcommandFailure) {
    if folder.isEmpty || Folder.realPath(folder) != nil && !Folder.isFolder(folder) {
      throw SubcommandFailure(
        "--corpus takes a folder, and '\(folder.printable(atMost: 80))' is not one",
        hint: nil,
        exit: .usage
      )
    }
    let names: [String]?
    do throws(FileProblem) {
      names = try Folder.readableEntries(of: folder)
    } catch {
      guard error.isAbsence else {
        throw SubcommandFailure(
          "the folder '\(folder.printable(atMost: 80))' of --corpus: \(error.sentence)",
          hint: nil,
          exit: .usage
        )
      }
      names = nil
    }
    let path = folder.hasSuffix("/") ? folder : folder + "/"
    let entries = (names ?? []).sorted().map { path + $0 }
    let files = entries.filter { $0.hasSuffix(".transcript") && !Folder.isFolder($0) }
    // Hidden files are those of other programs, such as `.gitkeep`. The pictures of a session have its name.
    let pictures = files.flatMap { file in
      ["html", "svg"].map { String(file.dropLast("transcript".count)) + $0 }
    }
    let own = Set(files + pictures)
    let others = entries.filter { !own.contains($0) && !$0.hasPrefix(path + ".") }
    notes =
      names != nil
      ? others.map {
        "\($0.printable(atMost: 200)) is not replayed: only its files '*.transcript' are"
      }
      : ["there is no folder '\(folder.printable(atMost: 80))' yet: the first failure creates it"]
    self.files = files
    self.disabled = disabled
    self.limits = limits
  }

  /// The result of the replay of a file.
  private enum Result {
    case holds
    /// It has this violation.
    case fails(String)
    /// It cannot be replayed: the place, the reason and a hint.
    case misfits(line: Int?, String, hint: String)
    case noWorker
  }

  /// Replays each file by its own schedule. Every failure counts, as in a script.
  ///
  /// - Returns: the lines about failures; the summary; and the exit code, which is that of a signal if one stopped the replay.
  func replay() -> (failures: [String], summary: [String], exit: ProgramExit) {
    var lines: [String] = []
    var exit = ProgramExit.success
    var count = 0
    for path in files where StopSignals.caught == nil {
      let shown = path.printable(atMost: 200)
      let result = replay(path)
      // A signal may have stopped this replay, too.
      if StopSignals.caught != nil { break }
      count += 1
      switch result {
      case .holds: continue
      case .fails(let sentence):
        lines.append("\(shown): \(sentence)")
        exit = max(exit, .differences)
      case .misfits(let line, let reason, let hint):
        lines.append("\(shown)\(line.map { ":\($0)" } ?? ""): error: it no longer fits: \(reason)")
        lines.append("hint: \(hint)")
        exit = max(exit, .differences)
      case .noWorker:
        lines.append("\(shown): \(SearchNote.noWorker(nil))")
        exit = max(exit, .harness)
      }
    }
    if let signal = StopSignals.caught, let code = StopSignals.exit {
      let all = "session".counted(files.count)
      lines.append(
        "error: stopped by \(StopSignals.name(of: signal)); replayed \(count) of \(all) of the corpus, and the search did not begin"
      )
      return (lines, [], code)
    }
    let all = "session".counted(files.count)
    let summary = lines.isEmpty && !files.isEmpty ? ["replayed \(all) of the corpus"] : []
    return (lines, summary, exit)
  }

  private static let usualHint = "correct the file, or remove it"

  private func replay(_ path: String) -> Result {
    let playable: Playable
    do throws(SubcommandFailure) {
      playable = try SearchedScript.playable(path)
    } catch {
      return .misfits(line: nil, error.sentence, hint: Self.usualHint)
    }
    if let line = playable.lineOfLateSchedule {
      return .misfits(
        line: line,
        "a schedule counts from the beginning of the session",
        hint: "write one schedule, before all commands that do something"
      )
    }
    if let line = playable.lineOfSearch {
      return .misfits(
        line: line,
        "a session of the corpus does not explore",
        hint: "remove the command; for a failure that it finds, 'save' writes a transcript"
      )
    }
    let (script, text) = playable.sessionOfCorpus
    guard let schedule = text.map({ Schedule($0) }) ?? Schedule() else {
      return .misfits(
        line: nil,
        "its schedule '\((text ?? "").printable(atMost: 80))' is not valid",
        hint: Self.usualHint
      )
    }
    let plan = Exploration.Plan(.random, seeds: 0..<0, checkedEvery: nil)
    let subject = SearchedScript(
      .file(script),
      scenes: ThisProgram.current.scenes,
      disabled: disabled
    )
    guard let executor = WorkerExecutor(subject, plan, jobs: 1, limits) else { return .noWorker }
    let plain = executor.runDefaultSchedule(plan)
    if let refusal = executor.refusal {
      return .misfits(
        line: script.line(of: refusal.command),
        refusal.lines.first ?? "it cannot be explored",
        hint: Self.usualHint
      )
    }
    if executor.problem != nil { return .noWorker }
    if plain.isEndless {
      return .misfits(
        line: nil,
        "it never settles, so its end is not checked",
        hint: "end what repeats, for example by 'cancel' or 'forget'"
      )
    }
    // Without a schedule, no other run could perform them.
    if schedule.isDefault, let left = plain.openChoices.unasked.first {
      return .misfits(
        line: nil,
        "this is never needed: \(left.text.printable(atMost: 200))",
        hint: Self.usualHint
      )
    }
    var outcome = plain.groups.first?.outcome
    if !schedule.isDefault {
      executor.beginReplays()
      let run = executor.replay(schedule)
      if run.outcome.failure == nil, let misfit = run.misfit {
        return .misfits(
          line: script.line(of: text.map { "schedule \($0)" } ?? ""),
          "its schedule '\(schedule)' does not fit: \(misfit.text)",
          hint: "find the order again with 'explore', or remove the file"
        )
      }
      outcome = run.outcome
    }
    guard let outcome else { return .noWorker }
    if let reason = outcome.inconclusive, outcome.failure == nil {
      return .misfits(line: nil, reason, hint: Self.usualHint)
    }
    guard let failure = outcome.failure else { return .holds }
    return result(of: failure, script)
  }

  private func result(of failure: Violation, _ script: Playable) -> Result {
    guard case .command(let command, _) = failure.check, !CommandText.isAssertion(command) else {
      return .fails(failure.sentence)
    }
    return .misfits(
      line: script.line(of: command),
      "'\(command.printable(atMost: 80))': \(failure.what)",
      hint: Self.usualHint
    )
  }
}
