import Exploring
import RehearsalBase
import Script
import Staging

/// The commands that a search may generate after the beginning of a session.
package struct SessionGrammar: Sendable {
  /// A command with all its possible arguments.
  struct Command: Sendable {
    /// The part of the text that names it, for reports: `load a`.
    let name: String
    let pattern: CommandPattern
    /// How often it is chosen, compared with others.
    let weight: Int
    /// Maximum number in a run.
    var most = Int.max
    /// The rule of a scene that allows it; nil without a scene.
    var rule: (scene: String, index: Int)?

    init(
      _ verb: CommandDefinition,
      _ name: String = "",
      _ parts: CommandPattern...,
      weight: Int = 1
    ) {
      self.name = name.isEmpty ? verb.verb : "\(verb.verb) \(name)"
      pattern = .sequence([.text(self.name)] + parts)
      self.weight = weight
    }

    init(name: String, _ pattern: CommandPattern, weight: Int) {
      (self.name, self.pattern, self.weight) = (name, pattern, weight)
    }
  }

  /// Default for the maximum number of generated commands in a run.
  package static let usualCommands = 10

  private(set) var commands: [Command] = []
  /// Commands that cannot be generated, with the reason.
  private(set) var unusable: [String] = []
  /// An index of `commands` for each unit of weight.
  private var picks: [Int] = []
  private var isRestricted = false

  /// The commands that the members, the scenes and the routes of a session allow.
  ///
  /// - Throws: a refusal that names the place if nothing can be generated, or a rule is wrong.
  @MainActor init(_ session: Session) throws(ExploredScript.Refusal) {
    let standing = session.scenes.standing.values.sorted { $0.name < $1.name }
    for scene in standing where !scene.rules.isEmpty {
      for (index, rule) in scene.rules.enumerated() {
        add(try rule.command(in: session, of: scene.name, index))
      }
    }
    let restricted = standing.filter { !$0.rules.isEmpty }
    for member in session.members.all where !restricted.contains(where: { $0.owns(member) }) {
      let modelled = standing.first { $0.hasModel && $0.owns(member) }
      for command in member.generatedCommands(in: session) {
        switch command {
        case .success(let command):
          add(
            command,
            unknownTo: modelled.flatMap { member.isKnown(command, toModelOf: $0) ? nil : $0 }
          )
        case .failure(let reason): unusable.append(reason.text)
        }
      }
    }
    addVerbs(in: session, without: Set(restricted.map(\.name)))
    // The rules of a scene may state them, too.
    if restricted.isEmpty, session.httpIfUsed?.server.routes.isEmpty == false {
      // No model knows failures of requests.
      let modelled = standing.first(where: \.hasModel)
      for command in Command.faults { add(command, unknownTo: modelled) }
    }
    guard !commands.isEmpty else {
      let reasons = unusable.map { "note: not generated: \($0)" }
      throw ExploredScript.Refusal(
        command: session.execution.given,
        lines: ["error: nothing can be generated after this command"] + reasons + [
          "hint: create a member, as in 'loadable a', or set up a scene that has commands"
        ]
      )
    }
    add(Command(ShellCommand.wait.definition, "", .duration(Command.waits), weight: 3))
    isRestricted = commands.contains { $0.rule != nil || $0.most < .max }
  }

  /// Adds a command, unless the model of a scene does not know it.
  private mutating func add(_ command: Command, unknownTo scene: StandingScene? = nil) {
    if let scene {
      unusable.append(
        "'\(command.name)', because the reference model of the scene '\(scene.name)' does not know it"
      )
      return
    }
    picks += Array(repeating: commands.count, count: command.weight)
    commands.append(command)
  }

  /// Adds the commands of scenes without rules.
  @MainActor private mutating func addVerbs(in session: Session, without restricted: Set<String>) {
    for command in session.commands.available {
      guard let scene = command.scene, !restricted.contains(scene) else { continue }
      let verb = command.definition.verb
      do throws(CommandPattern.NoSample) {
        let arguments = try CommandPattern(.sequence(command.definition.arguments))
        add(Command(command.definition, "", arguments, weight: 3))
      } catch {
        unusable.append("'\(verb)', because no value for \(error.placeholder) is known")
      }
    }
  }

  /// Returns the indices of the commands that may be chosen now, one for each unit of weight.
  ///
  /// - Parameters:
  ///   - host: the session.
  ///   - counts: how often each command was chosen in the run.
  ///   - held: receives the commands whose conditions hold.
  /// - Returns: the indices in `commands`.
  func choices(
    _ host: SessionHost,
    _ counts: [Int],
    holding held: inout Set<Int>
  ) -> [Int] {
    guard isRestricted else { return picks }
    var allowed: Set<Int> = []
    for (index, command) in commands.enumerated() where counts[index] < command.most {
      if let rule = command.rule {
        guard host.allows(rule.index, of: rule.scene) else { continue }
        held.insert(index)
      }
      allowed.insert(index)
    }
    return picks.filter(allowed.contains)
  }
}

extension SessionGrammar.Command {
  static let waits: ClosedRange<Duration> = .milliseconds(1) ... .seconds(5)

  /// Failures of requests that end, so that a member does not load forever by construction.
  static var faults: [Self] {
    let verb = ShellCommand.inject.definition
    return [
      Self(verb, "http", .oneOf(["100% reset", "100% 503", "50% reset", "50% 503"])),
      Self(verb, "http off"),
    ]
  }
}

extension SessionHost {
  /// Whether the condition of a scene's rule holds.
  func allows(_ rule: Int, of scene: String) -> Bool {
    stage.enter { [session] in
      guard let rules = session.scenes.standing[scene]?.rules, rules.indices.contains(rule) else {
        return false
      }
      return rules[rule].condition()
    }
  }

  /// The grammar of the session now.
  func grammar() -> Result<SessionGrammar, ExploredScript.Refusal> {
    stage.enter { [session] in
      Result { () throws(ExploredScript.Refusal) in try SessionGrammar(session) }
    }
  }
}
