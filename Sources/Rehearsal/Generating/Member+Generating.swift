import Loading
import RehearsalBase
import Script

/// A command that cannot be generated; `generatedCommands` lists those on a member that can.
struct UnusableCommand: Error {
  let text: String
}

extension Member {
  private typealias Command = SessionGrammar.Command

  /// The commands on this member that a search may generate.
  ///
  /// Loads that never end are left out, because the search would report each of them.
  func generatedCommands(
    in session: Session
  ) -> [Result<SessionGrammar.Command, UnusableCommand>] {
    switch self {
    case let member as DrivenMember<LoadableState<JSONValue>> where !isCustom:
      return loads(of: member)
    case is DrivenMember<ProcessState<ShellKind>> where !isCustom:
      return runs.map { .success($0) }
    case is DrivenMember<ProcessState<ShellKind>>:
      // The calls of a scene's command.
      return [.success(Command(ShellCommand.cancel.definition, name))]
    case let member as PropertyMember:
      guard actions.contains(.set) else { return [] }
      let value = member.history.current.value ?? .null
      return [values(SampleTexts.values(like: value), by: ShellCommand.set.definition)]
    case let member as InputMember:
      return [values(SampleTexts.values(of: member.type), by: ShellCommand.enter.definition)]
    default: return others.map { .success($0) }
    }
  }

  /// Whether the model of the member's scene knows a generated command. It knows cancellations of calls: such a call may
  /// or may not take effect.
  func isKnown(_ command: SessionGrammar.Command, toModelOf scene: StandingScene) -> Bool {
    if self is DrivenMember<ProcessState<ShellKind>> { return true }
    return scene.comparison?.knows(command.name) ?? true
  }

  private func loads(
    of member: DrivenMember<LoadableState<JSONValue>>
  ) -> [Result<SessionGrammar.Command, UnusableCommand>] {
    let type = (member.resolver as? LoadableResolver)?.type ?? .any
    let samples = SampleTexts.values(of: type)
    let source: [String] = member.source == nil ? [] : [""]
    let answers = source + samples + (samples.isEmpty && source.isEmpty ? [] : [Self.failure])
    let steered = steering.map { Result<SessionGrammar.Command, UnusableCommand>.success($0) }
    let verb = ShellCommand.load.definition
    guard !answers.isEmpty else {
      let text = "'\(verb.verb) \(name)', because no value of \(type.text) is known"
      return [.failure(UnusableCommand(text: text))] + steered
    }
    let load = Command(verb, name, .oneOf(answers), Self.delays, Self.manner, weight: 3)
    return [.success(load)] + steered
  }

  private var runs: [SessionGrammar.Command] {
    let verb = ShellCommand.run.definition
    let run = Command(
      verb,
      name,
      .oneOf(kinds),
      .oneOf(["", Self.failure]),
      Self.delays,
      Self.manner,
      weight: 3
    )
    return [run] + steering
  }

  private static var failure: String { #"fail "failed""# }
  private static var delays: CommandPattern {
    .oneOf(["after 1s", "", "after 2s", "after 3s", "after 100ms", "after 1s to 3s"])
  }
  private static var manner: CommandPattern {
    .oneOf(["", "", "", "uncancellable", "silently", "timeout 2s"])
  }

  private var steering: [SessionGrammar.Command] {
    [
      Command(ShellCommand.cancel.definition, name),
      Command(ShellCommand.reset.definition, name),
      Command(ShellCommand.retry.definition, name),
      Command(ShellCommand.inject.definition, name, .text(#""injected""#)),
    ]
  }

  private func values(
    _ samples: [String],
    by verb: CommandDefinition
  ) -> Result<SessionGrammar.Command, UnusableCommand> {
    guard !samples.isEmpty else {
      let text =
        "'\(verb.verb) \(name)', because no value for \(stateText.printable(atMost: 40)) is known"
      return .failure(UnusableCommand(text: text))
    }
    return .success(Command(verb, name, .oneOf(samples), weight: 3))
  }

  /// The commands on members of the user's code.
  private var others: [SessionGrammar.Command] {
    switch sort {
    case .customSource:
      [
        Command(ShellCommand.load.definition, name, weight: 3),
        Command(ShellCommand.retry.definition, name),
        Command(ShellCommand.cancel.definition, name),
      ]
    case .loadable, .process:
      [
        Command(ShellCommand.cancel.definition, name), Command(ShellCommand.reset.definition, name),
      ]
    case .pipe, .publisher, .stream: [Command(ShellCommand.cancel.definition, name)]
    case .input, .property, .journal, .marbleDiagram: []
    }
  }
}
