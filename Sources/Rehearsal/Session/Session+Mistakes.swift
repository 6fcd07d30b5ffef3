import RehearsalBase
import Script

/// Better diagnostics and hints, with knowledge of the session's members and scenes.
extension Session {
  /// Improves the hint of a diagnostic with the members and scenes of the session.
  func naming(_ diagnostic: Diagnostic, in text: String) -> Diagnostic {
    let named = namingOption(namingMember(namingScene(namingCount(diagnostic))), in: text)
    let valued = namingValues(namingSubject(named, in: text), in: text)
    return namingPage(namingHelp(valued, in: text))
  }

  /// Adds the page of help about a word, if no other hint for an unknown command is known.
  private func namingPage(_ diagnostic: Diagnostic) -> Diagnostic {
    guard case .unknownCommand(let verb) = diagnostic.problem,
      diagnostic.hint == Parser.usualAdvice,
      let advice = pageAdvice(for: verb)
    else { return diagnostic }
    return Diagnostic(diagnostic.problem, at: diagnostic.span, .general(advice))
  }

  /// Adds the scene that would bring an unknown command back.
  func namingScene(_ diagnostic: Diagnostic) -> Diagnostic {
    guard case .unknownCommand(let verb) = diagnostic.problem,
      let scene = commands.scene(ofVerb: verb)
    else { return diagnostic }
    return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: "'scene \(scene)' sets it up")
  }

  /// Adds the command that was probably meant, if the text has words or the syntax of another tool.
  func reworded(_ diagnostic: Diagnostic, in text: String) -> Diagnostic {
    switch diagnostic.problem {
    case .unknownCommand, .expected, .unexpected, .malformedValue, .malformedTarget, .unknownMethod,
      .missingUnit, .unknownUnit, .unknownOperator, .unknownMember, .unknownKind:
      break
    default: return diagnostic
    }
    if let hint = hintOnPath(in: text) ?? hintOnFile(in: text) ?? hintOnPart(in: text) {
      return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: hint)
    }
    // Better hints are kept, unless it is known what another tool means by the word.
    let word = diagnostic.word(in: text)
    let isGeneral = diagnostic.remedy?.isGeneral ?? true
    guard isGeneral || Rewording.isOfOtherTools(word) else { return diagnostic }
    let rewording = Rewording(table: commands.table) { self.impossiblePlace(in: $0) }
    if diagnostic.span.lowerBound >= text.utf8.count, isGeneral,
      let example = Rewording.example(completing: text, table: commands.table)
    {
      let known = diagnostic.hint.flatMap { $0.contains("as in") ? nil : $0 }
      let hint = ["as in '\(example)'", known].compactMap(\.self).joined(separator: "; ")
      return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: hint)
    }
    guard let meant = rewording.meant(by: text, errorAt: diagnostic.span.lowerBound) else {
      return diagnostic
    }
    return Diagnostic(diagnostic.problem, at: diagnostic.span, .suggestion("'\(meant)'"))
  }

  /// Returns a hint if a text loads a path and names no loadable: `fetch /books`.
  private func hintOnPath(in text: String) -> String? {
    let words = text.split(separator: " ").map(String.init)
    let load = ShellCommand.load.definition.verb
    guard let verb = words.first,
      verb == load || Suggestion.replacements(for: verb).contains([load]),
      let path = words.dropFirst().first(where: { $0 != "from" }), path.hasPrefix("/")
    else { return nil }
    let shown = path.printable(atMost: 60)
    let name = members.all.first { $0.sort == .loadable && !$0.isConstant }?.name
    return name.map { "a loadable takes the answer, as in '\(load) \($0) from \(shown)'" }
      ?? "a loadable takes the answer, as in 'loadable NAME', then '\(load) NAME from \(shown)'"
  }

  /// Returns a hint if a text sends the output of a command to a file or another program: `log > log.txt`.
  private func hintOnFile(in text: String) -> String? {
    let words = text.split(separator: " ").map(String.init)
    guard let verb = words.first, let definition = commands.table.definition(of: verb),
      definition.effects.onlyLooks, !definition.effects.contains(.asserts),
      !definition.clauseWords.contains("to"),
      words.dropFirst().contains(where: { [">", ">>", "to", "|"].contains($0) })
    else { return nil }
    return "only 'timeline' and 'states' write files; 'save FILE' writes the whole session"
  }

  /// Returns a hint if a text names a part of a member's value, such as `users[0]` or `users.count`; nil otherwise.
  private func hintOnPart(in text: String) -> String? {
    for word in text.split(separator: " ") {
      let name = word.prefix { $0 != "[" && $0 != "." }
      guard name.count < word.count, let member = members[String(name)], !member.isConstant else {
        continue
      }
      let part = word[name.endIndex...]
      guard
        part.hasPrefix("[")
          || [".count", ".first", ".last", ".isEmpty", ".length"]
            .contains(where: part.hasPrefix)
      else { continue }
      let verb = text.split(separator: " ").first.map(String.init) ?? ""
      let isCheck = commands.table.definition(of: verb)?.effects.contains(.asserts) == true
      return isCheck
        ? "a check is about the whole value, as in 'expect \(name) loaded VALUE'"
        : "a value has no parts with names; 'show \(name)' shows it, and 'load \(name) VALUE' replaces it"
    }
    return nil
  }

  /// Returns the byte of the first part of a command that this session cannot perform: an unknown member, an unknown kind
  /// of a process, or a state that the member never has. Nil if there is none.
  private func impossiblePlace(in command: ParsedCommand) -> Int? {
    guard !command.arguments.commands.contains(where: { impossiblePlace(in: $0) != nil }) else {
      return command.verb.span.lowerBound
    }
    guard let name = command.arguments[Slot<Located<String>>.member] else { return nil }
    guard let member = members[name.value] else { return name.span.lowerBound }
    switch (command.verb.value, member.sort) {
    case ("load", .process), ("run", .loadable): return command.verb.span.lowerBound
    case ("enter", let sort) where sort != .input: return name.span.lowerBound
    default: break
    }
    if command.verb.value == "run", let kind = command.arguments[ShellCommand.startedKind],
      !member.kinds.contains(kind.value)
    {
      return kind.span.lowerBound
    }
    guard let fact = command.arguments[ShellCommand.fact], let pattern = fact.value.pattern else {
      return nil
    }
    return (try? member.check(Located(pattern, at: 0..<0))) == nil ? fact.span.lowerBound : nil
  }

  /// Adds the command that shows a member, if a member's name is used as a command.
  private func namingMember(_ diagnostic: Diagnostic) -> Diagnostic {
    guard case .unknownCommand(let verb) = diagnostic.problem,
      let name = members[verb] == nil ? verb.split(separator: ".").first.map(String.init) : verb
    else { return diagnostic }
    guard let member = members[name] else {
      guard name != verb, diagnostic.remedy?.isGeneral == true else { return diagnostic }
      return members.unknown(Located(name, at: diagnostic.span), or: [], madeBy: "loadable")
    }
    guard name == verb || diagnostic.remedy?.isGeneral == true else { return diagnostic }
    let hint = "it is \(member.word.withArticle); 'show \(name)' shows it"
    return Diagnostic(diagnostic.problem, at: diagnostic.span, .general(hint))
  }

  /// Adds an example to an error about a number of commands.
  private func namingCount(_ diagnostic: Diagnostic) -> Diagnostic {
    guard case .expected("a number of commands", _) = diagnostic.problem, diagnostic.hint == nil
    else { return diagnostic }
    return Diagnostic(diagnostic.problem, at: diagnostic.span, .general("as in 'undo 2'"))
  }

  /// Adds that a name comes before the state, if the command has only the state.
  private func namingSubject(_ diagnostic: Diagnostic, in text: String) -> Diagnostic {
    guard case .expected("a state", found: nil) = diagnostic.problem else { return diagnostic }
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, members[words[1]] == nil,
      (StateSpec.loadableWords + StateSpec.processWords).contains(words[1])
    else { return diagnostic }
    let example = "\(words[0]) \(members.all.first?.name ?? "NAME") \(words[1])"
    return Diagnostic(
      diagnostic.problem,
      at: diagnostic.span,
      hint: "a name comes first, as in '\(example)'"
    )
  }

  /// Adds that a member has values, if a word is used instead of a value.
  private func namingValues(_ diagnostic: Diagnostic, in text: String) -> Diagnostic {
    guard case .expected("a state", found: let found?) = diagnostic.problem else {
      return diagnostic
    }
    let words = text.utf8.prefix(diagnostic.span.lowerBound).split(separator: UInt8(ascii: " "))
      .map { String(decoding: Array($0), as: UTF8.self) }.filter { $0 != StatePattern.negation }
    guard let member = words.last.flatMap({ members[$0] }), member is any ValueMember
    else { return diagnostic }
    let hint = "\(member.word.withArticle) has values, as in \(JSONValue.string(found).text)"
    return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: hint)
  }
}
