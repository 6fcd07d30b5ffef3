import Loading
import RehearsalBase
import Script
import Timelines

/// Hints for whole commands in the words of other tools, by the members and scenes of the session: addresses, files, parts of
/// values, races, commands of scenes.
extension Session {
  /// Returns the name of a member for an example; nil if none fits, or if something else is expected.
  func name(for expectation: Acceptable) -> String? {
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
  func hintOnSceneCommand(in text: String) -> String? {
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
  func hintOnPastCheck(in text: String) -> String? {
    let words = CommandText.words(text)
    let at = ShellCommand.at.definition.verb
    guard isAssertion(text), words.count > 3, words[words.count - 2] == at,
      let time = words.last.flatMap(CommandText.duration), time <= stage.now.elapsed
    else { return nil }
    let (rewind, log) = (ShellCommand.rewind.definition.verb, ShellCommand.log.definition.verb)
    return
      "a check is about the present state, and it is \(options.text(stage.now.elapsed)) now; '\(log)' prints the past events, and '\(rewind)' goes back"
  }

  /// Returns a hint if a text names the instant to go to: `wait until 5s`, `back to 1s`, `goto 1s`.
  func hintOnInstant(in text: String) -> String? {
    let words = CommandText.words(text)
    let (wait, rewind) = (ShellCommand.wait.definition.verb, ShellCommand.rewind.definition.verb)
    let verbs: Set = [
      "back", "jump", "go", "skip", "travel", wait, rewind, ShellCommand.undo.definition.verb,
    ]
    guard let verb = words.first, let time = words.last.flatMap(CommandText.duration),
      words.count == 2
        ? ["goto", "seek"].contains(verb)
        : words.count == 3 && ["until", "to"].contains(words[1])
          && verbs.contains(verb)
    else { return nil }
    let now = stage.now.elapsed
    let isNow = "it is \(options.text(now)) now"
    if time == now { return isNow }
    let command =
      time < now ? "\(rewind) \((now - time).compact)" : "\(wait) \((time - now).compact)"
    return "did you mean '\(command)'?" + (now > .zero ? " (\(isNow))" : "")
  }

  /// Returns what to do instead of an expectation of Swift Testing in a comment.
  func advice(onExpectation comment: String) -> String {
    let text = comment.trimmingPrefix(while: { $0 == "#" || $0.isWhitespace })
    let words = text.split { "() ".contains($0) }.map(String.init)
    if words.count == 2, let member = members[words[1]], !(member is any ValueMember) {
      let check = ShellCommand.expect.definition.verb
      return "did you mean '\(check) \(member.name) \(member.endedWord)'?"
    }
    if case .failure(let diagnostic) = read(String(text)),
      let remedy = reworded(diagnostic, in: String(text)).remedy, remedy.isSuggestion
    {
      return remedy.text
    }
    return "'help expect' shows how to check"
  }

  /// Returns a hint if a command is meant to follow a state: `when user loaded load posts ["a"]`.
  func hintOnDependence(in text: String) -> String? {
    let words = CommandText.words(text)
    guard words.count > 2, ["when", "once", "on", "after", "onChange"].contains(words[0]),
      members[words[1]] != nil,
      (StateSpec.loadableWords + StateSpec.processWords).contains(words[2])
    else { return nil }
    let check = "\(ShellCommand.expect.definition.verb) \(words[1]) \(words[2]) within 1m"
    let rest = words.dropFirst(3).joined(separator: " ").printable(atMost: 60)
    return "no command waits for a state: first '\(check)', then '\(rest.isEmpty ? "…" : rest)'"
  }

  /// Returns a hint if an operator has a scheduler, as in Combine: `taps.debounce(for: .seconds(1), scheduler: RunLoop.main)`.
  func hintOnScheduler(in text: String) -> String? {
    let plain = text.replacing(#/,?\ *scheduler:\ *[A-Za-z.]+(\(\))?/#, with: "")
    guard plain != text, case .failure(let diagnostic) = read(plain) else { return nil }
    return reworded(diagnostic, in: plain).hint
  }

  /// Returns a hint if a name is given to a scene, as if it were a part of the session: `scene "two loads"`.
  func hintOnQuotedScene(in text: String) -> String? {
    let words = CommandText.words(text)
    guard CommandText.definition(of: text) === ShellCommand.scene.definition, words.count > 1,
      words[1].hasPrefix("\"")
    else { return nil }
    return
      "a scene is a system that the program has, and '\(ShellCommand.scenes.definition.verb)' lists them; a note about the session is a line with '#'"
  }

  /// Returns a hint if a text has the quotation marks of a word processor: `load feed “x”`.
  func hintOnQuotes(in text: String) -> String? {
    guard text.contains(where: Self.typographicQuotes.contains) else { return nil }
    let plain = String(text.map { Self.typographicQuotes.contains($0) ? "\"" : $0 })
    guard case .success(.command) = read(plain) else { return nil }
    return "did you mean '\(plain.printable(atMost: 80))'?"
  }

  private static let typographicQuotes: Set<Character> = ["“", "”", "„", "«", "»", "‟"]

  /// Returns a hint if a text sleeps in Swift: `try await Task.sleep(for: .seconds(1))`.
  func hintOnSwiftSleep(in text: String) -> String? {
    let call = text.trimmingPrefix("try ").trimmingPrefix("await ")
    guard let match = call.wholeMatch(of: #/Task\.sleep\((?:for: )?\.([a-z]+)\(([0-9.]+)\)\)/#),
      let unit = ["seconds": "s", "milliseconds": "ms"][String(match.1)],
      let time = CommandText.duration(match.2 + unit)
    else { return nil }
    return "did you mean '\(ShellCommand.wait.definition.verb) \(time.compact)'?"
  }

  /// Returns a hint if a search has a check: `explore 200 profile loaded "new"`.
  func hintOnExploredCheck(in text: String) -> String? {
    let words = CommandText.words(text)
    let explore = ShellCommand.explore.definition.verb
    guard let verb = words.first,
      verb == explore || Suggestion.replacements(for: verb).contains([explore]),
      let place = words.indices.dropFirst().first(where: { members[words[$0]] != nil }),
      place + 1 < words.count,
      (StateSpec.loadableWords + StateSpec.processWords).contains(words[place + 1])
    else { return nil }
    let check = ShellCommand.expect.definition.verb
    let state = words[place...].joined(separator: " ").printable(atMost: 60)
    return "the check comes before the search: first '\(check) \(state)', then '\(explore)'"
  }

  /// Returns a hint if a text wants to run commands at the same time: `parallel load a 1; load b 2`.
  func hintOnConcurrency(in text: String) -> String? {
    let words = CommandText.words(text)
    guard let verb = words.first, commands.table.index(of: verb) == nil, words.count > 1,
      ["parallel", "concurrently", "concurrent", "simultaneously", "together", "batch", "both"]
        .contains(verb) || verb == "async" && words[1] == "let"
    else { return nil }
    return
      "loads run at the same time by themselves: write each on a separate line, and give it a time, as in 'load NAME VALUE after 1s'"
  }

  /// Returns a hint if a word describes how a backoff grows: `retry 3 backoff exponential`, `exponential backoff`.
  func hintOnBackoff(in text: String) -> String? {
    let words = CommandText.words(text)
    let growths: Set = ["exponential", "linear", "constant", "fixed"]
    guard let place = words.firstIndex(of: "backoff"),
      let growth = words.indices.dropFirst(max(0, place - 1)).prefix(4).first(where: {
        growths.contains(words[$0])
      })
    else { return nil }
    var changed = words
    changed.remove(at: growth)
    let backoff = changed.firstIndex(of: "backoff") ?? 0
    let hasDelay = backoff + 1 < changed.count && CommandText.duration(changed[backoff + 1]) != nil
    if !hasDelay { changed.insert("1s", at: backoff + 1) }
    let delays =
      words.contains("jitter")
      ? "'jitter' makes the delays random" : "each delay is twice the one before"
    let why = words.contains("exponential") ? "" : "every backoff is exponential: "
    guard let meant = meant(by: changed.joined(separator: " ")) else {
      return "\(why)write the first delay, as in 'retry 3 backoff 1s'; \(delays)"
    }
    return "did you mean '\(meant)'? (\(why)\(delays))"
  }

  /// Returns a text if it is a command, or else the command that it means; nil if none is known.
  func meant(by text: String) -> String? {
    let problem: Diagnostic
    switch read(text) {
    case .success(.command): return text.printable(atMost: 200)
    case .success: return nil
    case .failure(let diagnostic): problem = diagnostic
    }
    return rewording.meant(by: text, errorAt: problem.span.lowerBound)
  }

  /// Finds commands that this session can perform.
  var rewording: Rewording {
    Rewording(table: commands.table, name: name(for: .loadable)) { self.impossiblePlace(in: $0) }
  }

  /// Returns a hint if a picture has an unknown format: `timeline pdf`.
  func hintOnPictureFormat(in text: String) -> String? {
    let words = CommandText.words(text)
    guard CommandText.definition(of: text) === ShellCommand.timeline.definition,
      words.contains(where: { ["pdf", "png", "jpg", "jpeg", "gif"].contains($0.lowercased()) })
    else { return nil }
    let formats = TimelineFormat.all.map(\.name).joined(separator: ", ")
    return "the formats are \(formats), as in '\(words[0]) as svg'"
  }

  /// Returns a hint if a command has the option of a program: `load --help`.
  func hintOnHelpOption(in text: String) -> String? {
    let words = CommandText.words(text)
    guard let verb = words.first, commands.table.index(of: verb) != nil, words.count == 2,
      ["--help", "-help", "-h", "-?"].contains(words[1])
    else { return nil }
    return "'\(ShellCommand.help.definition.verb) \(verb)' explains it"
  }

  /// Returns a hint if a value is meant to be removed later: `load token "abc" after 1s ttl 60s`.
  func hintOnExpiry(in text: String) -> String? {
    let words = CommandText.words(text)
    let expiries: Set = ["ttl", "expires", "expire", "expiry", "expiring", "expiration"]
    guard let place = words.firstIndex(where: expiries.contains),
      let time = words[place...].first(where: { CommandText.duration($0) != nil }),
      let name = words.first(where: { members[$0] != nil })
    else { return nil }
    let reset = "\(ShellCommand.reset.definition.verb) \(name)"
    return "write it on a separate line: '\(ShellCommand.in.definition.verb) \(time) \(reset)'"
  }

  /// Returns a hint if `reset` is meant for the whole session.
  func hintOnReset(in text: String) -> String? {
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
  func hintOnRange(in text: String) -> String? {
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
  func hintOnRace(in text: String) -> String? {
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

  /// Returns a hint if a command about one member names several: `load profile, users`.
  func hintOnSeveral(in text: String) -> String? {
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

  /// Returns the first slot for the name of a member.
  static func memberSlot(in parts: [Syntax]) -> (any AnySlot)? {
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
  func hintOnClosure(in text: String) -> String? {
    guard CommandText.definition(of: text) === ShellCommand.pipe.definition, text.contains("{"),
      text.contains("$0") || text.contains(" in ")
    else { return nil }
    return
      "a pipe has no Swift closures: 'map FIELD', 'map VALUE' and 'filter FIELD == VALUE' take names and values; 'help map' says more"
  }

  /// Returns a hint if a text requests a path or an address and names no loadable: `fetch /books`, `curl -X POST /login`.
  func hintOnPath(in text: String) -> String? {
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
  func hintOnFile(in text: String) -> String? {
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
  func hintOnPart(in text: String) -> String? {
    for (name, part) in Self.parts(in: text)
    where part.hasPrefix("[") || Self.usualParts.contains(where: part.hasPrefix) {
      guard let member = members[name] else {
        guard part.hasPrefix(".") else { continue }
        return "no member is called '\(name)'; 'loadable \(name)' creates one"
      }
      if member.isConstant || isAssertion(text) { continue }
      return
        "a value has no parts with names; 'show \(name)' shows it, and 'load \(name) VALUE' replaces it"
    }
    return nil
  }

  /// Returns a hint if a text names a field of a member's value, such as `show user.name`; nil otherwise.
  func hintOnField(in text: String) -> String? {
    let isShown = CommandText.definition(of: text)?.effects.onlyLooks ?? !text.contains(" ")
    for (name, part) in Self.parts(in: text) where part.hasPrefix(".") {
      guard let member = members[name], !member.isConstant, isShown, !isAssertion(text) else {
        continue
      }
      return
        "'show \(name) map \(part.dropFirst())' shows a field, and 'show \(name)' the whole value"
    }
    return nil
  }

  func hintOnShownField(in text: String) -> String? {
    CommandText.definition(of: text) === ShellCommand.show.definition ? hintOnField(in: text) : nil
  }

  func isAssertion(_ text: String) -> Bool {
    CommandText.definition(of: text)?.effects.contains(.asserts) == true
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
}
