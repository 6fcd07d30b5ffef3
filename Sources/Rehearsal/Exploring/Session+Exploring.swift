import Exploring
import RehearsalBase
import Script
import Staging

/// Performs the shell's `explore`: which commands of the session a search repeats, and whether its findings are good.
extension Session {
  /// The reason why an explored run cannot explore.
  nonisolated static let exploresInSearch =
    Problem.misfit("this session is a run of a search")

  /// Performs all commands of the session in other orders, and prints the findings.
  ///
  /// - Parameters:
  ///   - plan: the settings of the search.
  ///   - orAll: whether systematic runs alternate with the others.
  ///   - mostGenerated: the maximum number of commands that a run generates; nil to generate none.
  ///   - disabled: the disabled built-in checks.
  ///   - mostBehaviours: the maximum number of behaviours that are shown.
  ///   - showsTable: whether failures are shown with tables of their steps, instead of timelines.
  /// - Throws: if there is nothing to perform, or if the log is incomplete.
  func explore(
    _ plan: Exploration.Plan,
    orAll: Bool,
    generating mostGenerated: Int?,
    disabling disabled: Set<BuiltInCheck>,
    showing mostBehaviours: Int,
    inTable showsTable: Bool
  ) throws(Diagnostic) {
    let verb = 0..<"explore".utf8.count
    if !scheduling.takesSchedulesOfFiles, !execution.sources.isEmpty { return }
    guard !scheduling.isInSearch else {
      throw Diagnostic(Self.exploresInSearch, at: verb)
    }
    if let missing = history.log.missing { throw Diagnostic(.misfit(missing), at: verb) }
    let entries = history.log.entries.dropLast()
      .filter(\.isExplored)
    let commands = entries.map(\.command)
    guard !commands.isEmpty else {
      throw Diagnostic(.misfit("nothing to explore: no command has changed anything yet"), at: verb)
    }
    let choice = entries.first { entry in
      // A sourced file may choose, too.
      entry.effects.contains(.choosesJobs)
        || scheduling.hasRunByHand && entry.effects.contains(.performsFile)
    }
    if let choice = choice?.command {
      throw Diagnostic(
        .misfit("cannot explore a session in which '\(choice)' chooses the next job"),
        at: verb,
        hint: "'undo' goes back; in a script, 'step' alone runs everything at the next instant"
      )
    }
    try requireSameFiles(entries.flatMap(\.readings), at: verb)
    let search = SessionSearch(
      commands: commands,
      problems: entries.map(\.problems),
      schedules: ExploredScript.schedules(in: history.log.entries.map(\.command)),
      folder: Folder.path(".", from: files.origin),
      fixtures: files.fixtures,
      disabled: disabled,
      plan: plan,
      orAll: orAll,
      mostGenerated: mostGenerated,
      width: options.width - 2,
      mostBehaviours: mostBehaviours,
      showsTable: showsTable
    )
    var interruption: Diagnostic?
    let rendered = environment.progress.whileCounting(to: plan.seeds.count, of: "run") {
      let rendered = environment.isolatedSearch?.rendered(search) { control(&interruption, $0) }
      return rendered ?? (interruption == nil ? exploreHere(search) : nil)
    }
    if let rendered {
      for line in rendered.lines where !line.text.isEmpty { output.print(line) }
      if !rendered.isGood { execution.hasFailed = true }
      // A search runs until no work is left, so it has performed and checked everything that is
      // still pending here.
      if rendered.hasCheckedEnd {
        scheduling.explored = SessionScheduling.Explored(
          scheduled: clock.scheduled.count,
          assertions: assertions.count,
          footprint: footprint,
          hadPending: !stage.pending.isEmpty
        )
      }
    }
    if let interruption { throw interruption }
    try clock.runReady()  // Ctrl-C interrupts here.
  }

  /// - Throws: if a file has changed since the session read it, because a search reads it again.
  private func requireSameFiles(
    _ readings: [FileMemory.Reading],
    at span: Range<Int>
  ) throws(Diagnostic) {
    for reading in readings {
      guard case .success(let bytes) = reading.content else { continue }
      let now = try? files.underlying.readAny(reading.path, limitInBytes: bytes.count + 1)
      guard now != bytes else { continue }
      throw Diagnostic(
        .misfit("'\(reading.path.printable(atMost: 80))' has changed since this session read it"),
        at: span,
        hint: "explore it in a new session, or with 'rehearse explore'"
      )
    }
  }

  /// Whether a search in another process continues. The first Ctrl-C ends it with its findings, the
  /// second one without.
  private func control(_ interruption: inout Diagnostic?, _ words: String?) -> SearchControl {
    if let words { environment.progress.say(words) }
    do throws(Diagnostic) {
      try clock.runReady()
      return interruption == nil ? .continues : .ends
    } catch {
      defer { interruption = error }
      return interruption == nil ? .ends : .isAbandoned
    }
  }

  /// Searches in this process.
  private func exploreHere(_ search: SessionSearch) -> SessionSearch.Rendered {
    let (stage, scenes, progress) = (stage, scenes.catalog, environment.progress)
    return Stage.withoutStage {
      let script: ExploredScript
      do throws(ExploredScript.Refusal) {
        script = try search.script(scenes)
      } catch {
        return .init(error)
      }
      let exploration = Exploration(search.plan, script.play)
      var findings = exploration.run(orAll: search.orAll) { _ in
        stage.answerPing()
        progress.count()
        return !stage.isInterrupted
      }
      findings.isEndless = script.isEndless
      findings.notesOfDefault = script.notes
      exploration.shorten(&findings, atMost: search.mostBehaviours) { !stage.isInterrupted }
      let examples = script.counterexamples(findings)
      let rendered = RenderedExploration(
        findings,
        of: script,
        examples,
        search.wording(
          notes: ExplorationText.notes(ofDefault: findings)
            + ExplorationText.limits(
              of: findings,
              until: search.plan.until,
              stopAfter: search.plan.stopAfter
            )
        )
      )
      return .init(lines: rendered.lines, findings)
    }
  }
}

extension SessionLog.Entry {
  /// Whether each run of a search performs it: it changed the session, could have, advances time or
  /// checks.
  fileprivate var isExplored: Bool {
    switch kind {
    case .comment: false
    case .option, .pause: true
    case .command:
      (effect != .looked || !effects.isDisjoint(with: [.advancesTime, .asserts]))
        && effects.isDisjoint(with: .search)
        && (effect == .changed || !effects.contains(.choosesJobs))
    }
  }
}

extension Findings {
  /// Whether no failure was found, here or in another part of the search that has ended it, and each
  /// `sometimes` held.
  package var isGood: Bool { isGoodAsPart && holdsSometimes }

  /// The same for a part of a search. Only the merged findings show whether a `sometimes` held.
  package var isGoodAsPart: Bool {
    failures.isEmpty && !isNondeterministic && !isEndedByFailure && !isInconclusive
      && !generatedNothing && changedFiles.isEmpty
  }

  /// Whether no run performed a generated command except `wait`, so that the search shows nothing.
  package var generatedNothing: Bool {
    let commands = openChoices.all.filter {
      $0.choice.kind == .command && $0.choice.text != ShellCommand.wait.definition.verb
    }
    return runs > 0 && failures.isEmpty && !commands.isEmpty && !commands.contains(where: \.isAsked)
  }

  /// Whether all runs are inconclusive and none failed, so that the search shows nothing.
  package var isInconclusive: Bool { runs > 0 && inconclusiveRuns == runs }

  /// Whether every run has performed and checked everything that was pending after its last
  /// command. Other runs are
  /// inconclusive.
  var hasCheckedEnd: Bool { runs > 0 && inconclusiveRuns == 0 }
}
