import RehearsalBase
import Script

/// Values for an argument of a generated command; the first is the simplest.
public struct GeneratedValues: Sendable {
  let pattern: CommandPattern

  /// Texts.
  public static func text(from texts: String...) -> GeneratedValues {
    GeneratedValues(pattern: .oneOf(texts.map(CommandText.quoted)))
  }

  /// Words as they are typed: names, JSON values.
  public static func word(from words: String...) -> GeneratedValues {
    GeneratedValues(pattern: .oneOf(words))
  }

  /// Whole numbers of a range, the smallest first.
  public static func integer(in range: ClosedRange<Int>) -> GeneratedValues {
    let most = 1_000
    let values = range.count > most ? SampleTexts.integers(in: range) : range.map { "\($0)" }
    return GeneratedValues(pattern: .oneOf(values))
  }

  /// Durations of a range.
  public static func duration(in range: ClosedRange<Duration>) -> GeneratedValues {
    GeneratedValues(pattern: .duration(range))
  }
}

/// A command that a scene allows a search to generate.
struct GenerationRule {
  let command: String
  let values: [GeneratedValues]
  let weight: Int
  let most: Int
  let condition: @MainActor () -> Bool

  /// Returns the command.
  ///
  /// - Throws: a refusal if it cannot be parsed in the session.
  @MainActor func command(
    in session: Session,
    of scene: String,
    _ index: Int
  ) throws(ExploredScript.Refusal) -> SessionGrammar.Command {
    let pattern = try pattern(in: session, of: scene)
    let reading: Result<Script.Reading, Diagnostic> = Result { () throws(Diagnostic) in
      try Script.read(pattern.simplest, table: session.commands.table)
    }
    switch reading {
    case .success(.command): break
    case .success(.nothing), .success(.unfinished):
      throw refusal(of: scene, "it is no whole command", hint: nil)
    case .failure(let diagnostic):
      throw refusal(of: scene, diagnostic.problem.sentence, hint: diagnostic.hint)
    }
    guard weight > 0, most > 0 else {
      throw refusal(of: scene, "it never occurs", hint: "remove it, or pass numbers above 0")
    }
    var command = SessionGrammar.Command(name: self.command, pattern, weight: weight)
    command.rule = (scene, index)
    command.most = most
    return command
  }

  /// The pattern with the given values, or else with samples for the parameters of the command.
  @MainActor private func pattern(
    in session: Session,
    of scene: String
  ) throws(ExploredScript.Refusal) -> CommandPattern {
    if values.contains(where: {
      if case .oneOf(let parts) = $0.pattern { parts.isEmpty } else { false }
    }) {
      throw refusal(of: scene, "it has an empty list of values", hint: "pass at least one value")
    }
    if values.isEmpty, let definition = session.commands.table.definition(of: command),
      let arguments = try? CommandPattern(.sequence(definition.arguments))
    {
      return .sequence([.text(command), arguments])
    }
    return .sequence([.text(command)] + values.map(\.pattern))
  }

  private func refusal(
    of scene: String,
    _ reason: String,
    hint: String?
  ) -> ExploredScript.Refusal {
    let verb = ShellCommand.scene.definition.verb
    return ExploredScript.Refusal(
      command: "\(verb) \(scene)",
      lines: [
        "error: the scene's code generates '\(command.printable(atMost: 80))': \(reason)"
      ] + [hint.map { "hint: \($0)" }].compactMap(\.self)
    )
  }
}

extension SceneBuilder {
  /// Allows a search with `explore --generate` to generate a command. If a scene allows some, the
  /// search generates no other commands for it.
  ///
  ///     scene.generate("type", .text(from: "a", "ab"), often: 3)
  ///     scene.generate("submit", atMost: 2, when: { !form.isEmpty })
  ///
  /// - Parameters:
  ///   - command: the beginning of the command.
  ///   - values: the arguments after it. Without them, the search uses samples that fit the
  ///     parameters.
  ///   - weight: how often it is chosen, compared with other commands.
  ///   - most: the maximum number in a run.
  ///   - condition: whether it may be generated now.
  public func generate(
    _ command: String,
    _ values: GeneratedValues...,
    often weight: Int = 1,
    atMost most: Int = .max,
    when condition: @escaping @MainActor () -> Bool = { true }
  ) {
    rules.append(
      GenerationRule(
        command: command,
        values: values,
        weight: weight,
        most: most,
        condition: condition
      )
    )
  }
}
