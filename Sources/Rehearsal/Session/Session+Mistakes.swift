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
    case .unknownCommand, .expected, .unexpected, .malformedValue, .malformedTarget, .unknownMethod,
      .missingUnit, .unknownUnit, .unknownOperator, .unknownMember, .unknownKind:
      break
    default: return diagnostic
    }
    let hints: [(String) -> String?] = [
      hintOnSceneCommand(in:), hintOnRace(in:), hintOnPastCheck(in:), hintOnRange(in:),
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
    let isGeneral = diagnostic.remedy?.isGeneral ?? true
    guard isGeneral || Rewording.isOfOtherTools(word) else { return diagnostic }
    let rewording = Rewording(table: commands.table, name: self.name(for: .loadable)) {
      self.impossiblePlace(in: $0)
    }
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
    return Diagnostic(diagnostic.problem, at: diagnostic.span, .suggestion("'\(meant)'"))
  }

  /// Returns the name of a member for an example; nil if none fits, or if something else is expected.
  private func name(for expectation: Acceptable) -> String? {
    let all = members.all.filter { !$0.isConstant }
    switch expectation {
    case .member: return all.first?.name
    case .loadable: return all.first { $0.sort == .loadable }?.name
    case .process: return all.first { $0.sort == .process }?.name
    case .input: return all.first { $0.sort == .input }?.name
    default: return nil
    }
  }

  /// Returns a hint if a text is a command of a scene without its first part, or has the parentheses of a call: `load`,
  /// `feed.load()`.
  private func hintOnSceneCommand(in text: String) -> String? {
    let bare = text.hasSuffix("()") ? String(text.dropLast(2)) : text
    guard !bare.contains(" "), let last = bare.split(separator: ".").last else { return nil }
    if bare != text, commands.table.index(of: bare) != nil, bare.contains(".") {
      return "did you mean '\(bare)'?"
    }
    let isCommand = commands.table.index(of: bare) != nil
    let hasMembers = members.all.contains { [.loadable, .process].contains($0.sort) }
    let meant = commands.table.verbs.filter { $0.hasSuffix(".\(last)") && $0 != bare }.prefix(3)
    guard let first = meant.first, members[bare] == nil,
      bare != text || !isCommand || !hasMembers
    else { return nil }
    return meant.count == 1
      ? "did you mean '\(first)'?"
      : "did you mean one of " + meant.map { "'\($0)'" }.joined(separator: ", ") + "?"
  }

  /// Returns a hint if an assertion names a time that is over: `expect feed loaded at 2s`.
  private func hintOnPastCheck(in text: String) -> String? {
    let words = CommandText.words(text)
    let at = ShellCommand.at.definition.verb
    guard isAssertion(text), words.count > 3, words[words.count - 2] == at,
      let time = words.last.flatMap(CommandText.duration), time <= stage.now.elapsed
    else { return nil }
    let (rewind, log) = (ShellCommand.rewind.definition.verb, ShellCommand.log.definition.verb)
    return
      "a check is about the present state, and it is \(options.text(stage.now.elapsed)) now; '\(log)' prints what happened, and '\(rewind)' goes back"
  }

  /// Returns a hint if `reset` is meant for the whole session.
  private func hintOnReset(in text: String) -> String? {
    let definition = ShellCommand.reset.definition
    guard CommandText.definition(of: text) === definition, CommandText.words(text).count == 1 else {
      return nil
    }
    let name = name(for: .member) ?? "NAME"
    let quit = ShellCommand.quit.definition.verb
    return
      "'\(definition.verb) \(name)' resets a member; for an empty session, '\(quit)' and start the program again"
  }

  /// Returns a hint if a picture of a range of times is asked for: `timeline feed from 1s to 2s`.
  private func hintOnRange(in text: String) -> String? {
    let words = CommandText.words(text)
    guard CommandText.definition(of: text) === ShellCommand.timeline.definition,
      let place = words.indices.dropFirst().first(where: {
        ["from", "since", "after", "before"].contains(words[$0])
      }),
      place + 1 < words.count, CommandText.duration(words[place + 1]) != nil
    else { return nil }
    let start = words[..<place].joined(separator: " ").printable(atMost: 60)
    return "a picture ends now: '\(start) last D' shows the latest D"
  }

  /// Returns a hint if a text starts a member several times by the word of another tool: `race feed "a" "b"`.
  private func hintOnRace(in text: String) -> String? {
    let words = CommandText.words(text)
    let explore = ShellCommand.explore.definition.verb
    guard words.count > 3, let verb = words.first, commands.table.index(of: verb) == nil,
      Suggestion.replacements(for: verb).contains([explore]),
      let member = members[words[1]], member.sort == .loadable
    else { return nil }
    let values = words[2...].filter { $0 != "," }.prefix(3)
    guard values.allSatisfy({ $0.utf8.count <= 30 }) else { return nil }
    let loads = values.map {
      "'\(ShellCommand.load.definition.verb) \(member.name) \($0.printable(atMost: 30)) after 1s'"
    }
    return "first \(loads.joined(separator: ", then ")), then '\(explore)'"
  }

  /// Returns a hint if a command about a member has the number of an attempt: `cancel #1`.
  private func hintOnAttempt(_ diagnostic: Diagnostic, in text: String) -> String? {
    guard case .expected(_, found: "#") = diagnostic.problem,
      let verb = CommandText.words(text).first,
      let definition = commands.table.definition(of: verb),
      let slot = Self.memberSlot(in: definition.arguments)
    else { return nil }
    let name = slot.expectations.lazy.compactMap(self.name).first ?? "NAME"
    return "an attempt belongs to a member: write the member's name, as in '\(verb) \(name)'"
  }

  /// Returns a hint if a command about one member names several: `load profile, users`.
  private func hintOnSeveral(in text: String) -> String? {
    let words = CommandText.words(text.replacing(",", with: " ")).filter {
      !["and", "both"].contains($0)
    }
    let names = words.dropFirst()
    guard names.count > 1, let verb = words.first, names.allSatisfy({ members[$0] != nil }),
      let definition = commands.table.definition(of: verb),
      Self.memberSlot(in: definition.arguments) != nil
    else { return nil }
    let all = names.map { "'\(verb) \($0) …'" }
    return "one command is about one member: first \(all[0]), then \(all[1])"
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

  /// Returns the first slot for the name of a member.
  private static func memberSlot(in parts: [Syntax]) -> (any AnySlot)? {
    for part in parts {
      switch part {
      case .slot(let slot): if slot.name == Slot<Located<String>>.member.name { return slot }
      case .sequence(let parts), .oneOf(let parts):
        if let slot = memberSlot(in: parts) { return slot }
      case .optional(let part), .list(let part), .many(let part):
        if let slot = memberSlot(in: [part]) { return slot }
      case .keyword, .clauses: break
      }
    }
    return nil
  }

  /// Returns a hint if a pipe has a Swift closure: `query.map { $0.uppercased() }`.
  private func hintOnClosure(in text: String) -> String? {
    guard CommandText.definition(of: text) === ShellCommand.pipe.definition, text.contains("{"),
      text.contains("$0") || text.contains(" in ")
    else { return nil }
    return
      "a pipe has no Swift closures: 'map FIELD', 'map VALUE' and 'filter FIELD == VALUE' take names and values; 'help map' says more"
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

  /// Returns a hint if a text requests a path or an address and names no loadable: `fetch /books`, `curl -X POST /login`.
  private func hintOnPath(in text: String) -> String? {
    let given = CommandText.words(text)
    let words = given.map(Self.withoutQuotes)
    // Behind 'from', the parser knows better, except for an address in quotes.
    let isUnprepared = !words.contains("from") || words != given
    let load = ShellCommand.load.definition.verb
    guard let verb = words.first,
      verb == load
        || Suggestion.replacement(for: verb, in: [load])?.hasPrefix(load + " ") == true
        || Suggestion.replacements(for: verb).contains([load]),
      let place = words.indices.dropFirst().first(where: { Self.isTarget(words[$0]) }),
      words[1..<place].allSatisfy({ word in
        word == "from" || isUnprepared && members[word] != nil || !word.contains { $0.isLowercase }
          || Parser.methodNames.contains(word.uppercased())
      })
    else { return nil }
    let method = (words[..<place].map { $0.uppercased() }).first(where: Parser.methodNames.contains)
    let isGet = method == nil || method == Parser.methodNames[0]
    let status = words[place...].first { $0.utf8.count == 3 && $0.utf8.allSatisfy(\.isDigit) }
    // A status is that of a mock answer, and routes have paths.
    let path = status == nil ? words[place] : Self.path(of: words[place])
    let target = (isGet ? "" : (method ?? "") + " ") + path.printable(atMost: 60)
    let body = words.dropFirst(place + 1).first { "{[".contains($0.prefix(1)) && !$0.isEmpty }
    let sent = body.map { " sending json " + $0.printable(atMost: 60) } ?? ""
    let named = words[1..<place].first { members[$0]?.sort == .loadable }
    let name = named ?? members.all.first { $0.sort == .loadable && !$0.isConstant }?.name
    let command = "\(load) \(name ?? "NAME") from \(target)\(sent)"
    let making = name == nil ? "'\(ShellCommand.loadable.definition.verb) NAME', then " : ""
    let answering =
      path.hasPrefix("/")
      ? "'\(ShellCommand.route.definition.verb) \(target) \(status ?? "200 json VALUE")' answers it"
      : "first '\(ShellCommand.allow.definition.verb) network \(Self.host(of: words[place]))'"
    return "a loadable takes the answer, as in \(making)'\(command)'; \(answering)"
  }

  private static func withoutQuotes(_ word: String) -> String {
    word.utf8.count > 2 && word.hasPrefix("\"") && word.hasSuffix("\"")
      && isTarget(String(word.dropFirst())) ? String(word.dropFirst().dropLast()) : word
  }

  /// Returns the path of an address.
  private static func path(of address: String) -> String {
    guard let rest = address.split(separator: "://", maxSplits: 1).dropFirst().first else {
      return address
    }
    return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
  }

  /// Returns the host of an address.
  private static func host(of address: String) -> String {
    let rest = address.split(separator: "://", maxSplits: 1).last ?? ""
    let host = rest.prefix { $0 != "/" && $0 != ":" && $0 != "?" }
    return host.isEmpty ? "HOST" : String(host).printable(atMost: 60)
  }

  /// Whether a word is a path or an address.
  private static func isTarget(_ word: String) -> Bool {
    word.hasPrefix("/") || word.hasPrefix("http://") || word.hasPrefix("https://")
  }

  /// Returns a hint if a text sends the output of a command to a file or another program: `log > log.txt`, `list | less`.
  private func hintOnFile(in text: String) -> String? {
    let words = text.split(separator: " ").map(String.init)
    guard let verb = words.first, let definition = commands.table.definition(of: verb),
      definition.effects.onlyLooks, !definition.effects.contains(.asserts)
    else { return nil }
    let writes = definition.clauseWords.contains("to")
    if words.dropFirst().contains(where: { $0.contains("|") }) {
      return "output cannot go to another program; in a terminal, long output opens in a pager"
        + (writes ? ", and '\(verb) to FILE' writes a file" : "")
    }
    guard !writes, words.dropFirst().contains(where: { [">", ">>", "to"].contains($0) }) else {
      return nil
    }
    return "only 'timeline' and 'states' write files; 'save FILE' writes the whole session"
  }

  /// Returns a hint if a text names a part of a member's value, such as `users[0]` or `users.count`; nil otherwise.
  private func hintOnPart(in text: String) -> String? {
    for (name, part) in Self.parts(in: text)
    where part.hasPrefix("[") || Self.usualParts.contains(where: part.hasPrefix) {
      guard let member = members[name] else {
        guard part.hasPrefix(".") else { continue }
        return "no member is called '\(name)'; 'loadable \(name)' creates one"
      }
      if member.isConstant { continue }
      return isAssertion(text)
        ? Self.adviceOnWhole(name)
        : "a value has no parts with names; 'show \(name)' shows it, and 'load \(name) VALUE' replaces it"
    }
    return nil
  }

  /// Returns a hint if a text names a field of a member's value, such as `show user.name`; nil otherwise.
  private func hintOnField(in text: String) -> String? {
    let isShown = CommandText.definition(of: text)?.effects.onlyLooks ?? !text.contains(" ")
    for (name, part) in Self.parts(in: text) where part.hasPrefix(".") {
      guard let member = members[name], !member.isConstant, isShown else { continue }
      return isAssertion(text)
        ? Self.adviceOnWhole(name)
        : "'show \(name) map \(part.dropFirst())' shows a field, and 'show \(name)' the whole value"
    }
    return nil
  }

  private func hintOnShownField(in text: String) -> String? {
    CommandText.definition(of: text) === ShellCommand.show.definition ? hintOnField(in: text) : nil
  }

  private func isAssertion(_ text: String) -> Bool {
    CommandText.definition(of: text)?.effects.contains(.asserts) == true
  }

  private static func adviceOnWhole(_ name: String) -> String {
    "a check is about the whole value, as in 'expect \(name) loaded VALUE'"
  }

  /// Returns the words such as `users.count` and `users[0]`, each as a name and the text after it.
  private static func parts(in text: String) -> [(name: String, part: Substring)] {
    text.split(separator: " ").compactMap { word in
      let name = word.prefix { $0 != "[" && $0 != "." }
      guard name.count < word.count, name.first?.isLetter == true else { return nil }
      return (String(name), word[name.endIndex...])
    }
  }

  private static let usualParts = [".count", ".first", ".last", ".isEmpty", ".length"]

  /// Returns a hint if an assertion names several states: `expect feed loaded or error`.
  private func hintOnAlternatives(_ diagnostic: Diagnostic, in text: String) -> String? {
    guard isAssertion(text), ["or", "and"].contains(diagnostic.word(in: text)) else { return nil }
    return
      "a check is about one state; 'expect NAME not STATE' excludes one, and several checks can follow each other"
  }

  /// Returns the byte of the first part of a command that this session cannot perform: an unknown member, an unknown kind
  /// of a process, or a state that the member never has. Nil if there is none.
  private func impossiblePlace(in command: ParsedCommand, besides missing: String? = nil) -> Int? {
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
