import RehearsalBase
import Script

/// Improves the hint of an error by the session's members and scenes, and decides when a command is reworded.
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
    case .swiftExpectation:
      let hint = advice(
        onExpectation: String(text.utf8.dropFirst(diagnostic.span.lowerBound)) ?? ""
      )
      return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: hint)
    case .unknownCommand, .expected, .unexpected, .malformedValue, .malformedTarget, .unknownMethod,
      .missingUnit, .unknownUnit, .unknownOperator, .unknownMember, .unknownKind:
      break
    default: return diagnostic
    }
    let hints: [(String) -> String?] = [
      hintOnSceneCommand(in:), hintOnRace(in:), hintOnPastCheck(in:), hintOnRange(in:),
      hintOnInstant(in:), hintOnQuotedScene(in:), hintOnQuotes(in:), hintOnSwiftSleep(in:),
      hintOnTyping(in:), hintOnExploredCheck(in:), hintOnConcurrency(in:), hintOnBackoff(in:),
      hintOnPictureFormat(in:), hintOnHelpOption(in:), hintOnExpiry(in:), hintOnAppending(in:),
      hintOnPage(in:), hintOnProgress(in:), hintOnAwaiting(in:), hintOnSending(in:),
      hintOnSequence(in:),
      hintOnDependence(in:),
      hintOnScheduler(in:),
      hintOnReset(in:), hintOnPath(in:), hintOnFile(in:), hintOnPart(in:),
      { self.hintOnAttempt(diagnostic, in: $0) },
      { self.hintOnComparison(diagnostic, in: $0) },
      { self.hintOnAlternatives(diagnostic, in: $0) },
      hintOnSeveral(in:), hintOnShownField(in:),
    ]
    let known = hints.lazy.compactMap { $0(text) }.first
    if let known { return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: known) }
    // Better hints are kept, unless it is known what another tool means by the word.
    let word = diagnostic.word(in: text)
    let isGeneral =
      diagnostic.remedy?.isGeneral ?? true || ["json", "text", "html", "map"].contains(word)
      || isAssertion(text) && text.contains(" map ")
    guard isGeneral || Rewording.isOfOtherTools(word) else { return diagnostic }
    if diagnostic.span.lowerBound >= text.utf8.count, isGeneral,
      let example = Rewording.example(completing: text, table: commands.table, name: name),
      case .success(.command(let command)) = read(example), impossiblePlace(in: command) == nil
    {
      let known = diagnostic.hint.flatMap { $0.contains("as in") ? nil : $0 }
      let hint = ["as in '\(example)'", known].compactMap(\.self).joined(separator: "; ")
      return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: hint)
    }
    guard let meant = rewording.meant(by: text, errorAt: diagnostic.span.lowerBound) else {
      let hint =
        hintOnMissingMember(diagnostic, in: text) ?? hintOnClosure(in: text)
        ?? hintOnField(in: text)
      return hint.map { Diagnostic(diagnostic.problem, at: diagnostic.span, hint: $0) }
        ?? diagnostic
    }
    if let source = missingSource(of: meant) {
      let first = "'\(ShellCommand.input.definition.verb) \(source)'"
      return Diagnostic(
        diagnostic.problem,
        at: diagnostic.span,
        hint: "first \(first), then '\(meant)'"
      )
    }
    return Diagnostic(diagnostic.problem, at: diagnostic.span, .suggestion("'\(meant)'"))
  }

  /// Returns the name of a member that a pipe reads first, if there is no such member.
  private func missingSource(of pipe: String) -> String? {
    let words = CommandText.words(pipe)
    guard CommandText.definition(of: pipe) === ShellCommand.pipe.definition,
      let place = words.firstIndex(of: "="), place + 2 < words.count, words[place + 2] == "|",
      members[words[place + 1]] == nil, words[place + 1].utf8.allSatisfy(\.isWordByte)
    else { return nil }
    return words[place + 1]
  }

  /// Returns a hint if a command about a member has the number of an attempt: `cancel #1`.
  private func hintOnAttempt(_ diagnostic: Diagnostic, in text: String) -> String? {
    guard case .expected(_, found: "#") = diagnostic.problem,
      let verb = CommandText.words(text).first,
      let definition = commands.table.definition(of: verb),
      let slot = Self.memberSlot(in: definition.arguments)
    else { return nil }
    let name = slot.expectations.lazy.compactMap(self.name).first ?? "NAME"
    return
      "an attempt belongs to a member: write the member's name, as in '\(verb) \(name)', which is about its latest attempt"
  }

  /// Returns a hint if a command names a member that does not exist, and has another mistake too: `load x to 1`.
  private func hintOnMissingMember(_ diagnostic: Diagnostic, in text: String) -> String? {
    if case .unknownMember = diagnostic.problem { return nil }
    let words = CommandText.words(text)
    guard words.count > 2, let definition = commands.table.definition(of: words[0]),
      let slot = Self.memberSlot(in: definition.arguments), members[words[1]] == nil,
      words[1].first?.isLetter == true, words[1].utf8.allSatisfy(\.isWordByte),
      ReservedWords.forMembers[words[1]] == nil
    else { return nil }
    // The other mistake is repaired as if the member existed.
    let rewording = Rewording(table: commands.table) {
      self.impossiblePlace(in: $0, besides: words[1])
    }
    guard let meant = rewording.meant(by: text, errorAt: diagnostic.span.lowerBound) else {
      return nil
    }
    let maker =
      slot.expectations.contains(.process)
      ? ShellCommand.process
      : slot.expectations.contains(.input) ? ShellCommand.input : ShellCommand.loadable
    let name = words[1].printable(atMost: 30)
    return
      "no member is called '\(name)': first '\(maker.definition.verb) \(name)', then '\(meant)'"
  }

  /// Returns a hint if an assertion compares with `>` or `<`: `expect users > 3`.
  private func hintOnComparison(_ diagnostic: Diagnostic, in text: String) -> String? {
    let now = ShellCommand.now.definition.verb
    if let subject = CommandText.words(text).dropFirst().first, members[subject] == nil,
      isAssertion(text), ([[subject]] + Suggestion.replacements(for: subject)).contains([now])
    {
      return
        "no command checks the time; '\(now)' prints it, and a replay of the transcript compares the output"
    }
    guard case .expected("a state", found: let found?) = diagnostic.problem,
      found.hasPrefix(">") || found.hasPrefix("<")
    else { return nil }
    let words = text.utf8.prefix(diagnostic.span.lowerBound).split(separator: UInt8(ascii: " "))
      .map { String(decoding: Array($0), as: UTF8.self) }
    guard let verb = words.first, let name = words.last else { return nil }
    if members[name] == nil, commands.table.definition(of: name) != nil {
      return
        "'\(name)' is a command; '\(verb)' is about the state of a member, as in '\(verb) NAME loaded within 1s'"
    }
    let shown = members[name] == nil ? "NAME" : name
    let state = members[name] is any ValueMember ? "VALUE" : "loaded VALUE"
    return "there are no comparisons: '\(verb) \(shown) \(state)' compares the whole value"
  }

  /// Returns a hint if an assertion names several states: `expect feed loaded or error`.
  private func hintOnAlternatives(_ diagnostic: Diagnostic, in text: String) -> String? {
    guard isAssertion(text), ["or", "and"].contains(diagnostic.word(in: text)) else { return nil }
    return
      "a check is about one state; 'expect NAME not STATE' excludes one, and several checks can follow each other"
  }

  /// Returns the byte of the first part of a command that this session cannot perform: an unknown member, an unknown kind
  /// of a process, or a state that the member never has. Nil if there is none.
  func impossiblePlace(in command: ParsedCommand, besides missing: String? = nil) -> Int? {
    guard !command.arguments.commands.contains(where: { impossiblePlace(in: $0) != nil }) else {
      return command.verb.span.lowerBound
    }
    guard let name = command.arguments[Slot<Located<String>>.member] else { return nil }
    guard let member = members[name.value] else {
      return name.value == missing ? nil : name.span.lowerBound
    }
    if commands.table.definitions[command.index] === ShellCommand.inject.definition,
      member.liveAttempts.isEmpty
    {
      return command.verb.span.lowerBound
    }
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
      .map { String(decoding: Array($0), as: UTF8.self) }.filter {
        ![StatePattern.negation, StatePattern.difference].contains($0)
      }
    guard let member = words.last.flatMap({ members[$0] }), member is any ValueMember
    else { return diagnostic }
    let hint = "\(member.word.withArticle) has values, as in \(JSONValue.string(found).text)"
    return Diagnostic(diagnostic.problem, at: diagnostic.span, hint: hint)
  }
}
