import Loading
import RehearsalBase
import Script

/// Hints for whole commands about values over time: typing, streams, pages, progress, awaited values.
extension Session {
  /// Returns a hint if a text types into a loadable: `type "swift" into results debounce 300ms`, `debounce results 300ms`,
  /// `results.debounce(for: .seconds(1))`.
  func hintOnTyping(in text: String) -> String? {
    let words = CommandText.words(text)
    let enter = ShellCommand.enter.definition.verb
    let operators: Set = ["debounce", "throttle"]
    let place = words.firstIndex { operators.contains($0) }
    let typed = words.first { $0.hasPrefix("\"") }?.printable(atMost: 30)
    let call = words.first?.split { ".(".contains($0) }.map(String.init) ?? []
    let called = call.count > 1 && operators.contains(call[1]) ? call : nil
    let verb = words.first ?? ""
    let isTyping = verb == enter || Suggestion.replacements(for: verb).contains([enter])
    let name = called?[0] ?? words.first { members[$0] != nil }
    guard commands.table.index(of: verb) == nil || verb == enter,
      called != nil || place == 0 || typed != nil && isTyping,
      name.map({ members[$0]?.sort == .loadable }) ?? (place ?? 0 > 0)
    else { return nil }
    let input = ["query", "text", "typed"].first { members[$0] == nil } ?? "NAME"
    let time = words.last.flatMap(CommandText.duration)?.compact ?? "300ms"
    let pipe = (called?[1] ?? place.map { words[$0] }).map {
      " 'pipe searched = \(input) | \($0) \(time)', then"
    }
    return
      "values come from an input: first 'input \(input)', then\(pipe ?? "") '\(enter) \(input) \(typed ?? "\"swift\"") every 100ms'"
  }

  /// Returns a hint if a text adds to the value of a loadable: `append feed ["c"]`, `load feed append ["c"] after 1s`,
  /// `loadMore feed`.
  func hintOnAppending(in text: String) -> String? {
    let (adding, paging): (Set, Set) = (
      ["append", "appending", "push", "insert", "prepend", "concat", "adding", "plus", "merge"],
      [
        "loadmore", "loadnext", "loadnextpage", "nextpage", "fetchnextpage", "fetchmore", "more",
        "paginate",
      ]
    )
    let words = CommandText.words(text)
    guard let first = words.first else { return nil }
    let call = first.prefix { $0 != "(" }.split(separator: ".").map(String.init)
    let verb =
      words.prefix(3).first { members[$0] == nil && adding.union(paging).contains($0.lowercased()) }
      ?? (call.count == 2 && adding.union(paging).contains(call[1].lowercased()) ? call[1] : nil)
    guard let verb, let name = words.first(where: { members[$0] != nil }) ?? call.first,
      let member = members[name], member.sort == .loadable
    else { return nil }
    if paging.contains(verb.lowercased()), !words.contains(where: { $0.hasPrefix("[") }) {
      return adviceOnPage(2, of: name)
    }
    let load = ShellCommand.load.definition.verb
    let whole = "a load replaces the whole value"
    let loadable = member as? DrivenMember<LoadableState<JSONValue>>
    guard case .array(let present)? = loadable?.state.data,
      let place = words.firstIndex(where: { $0.hasPrefix("[") }),
      case .array(let added)? = Self.json(words[place])
    else { return "\(whole), as in '\(load) \(name) VALUE after 1s'" }
    let all = JSONValue.array(present + added).text
    guard all.utf8.count <= 80 else { return "\(whole), as in '\(load) \(name) VALUE after 1s'" }
    let rest = words[(place + 1)...].map { " " + $0 }.joined().printable(atMost: 60)
    return "\(whole): did you mean '\(load) \(name) \(all)\(rest)'?"
  }

  /// Returns a hint if a load names a page: `load feed page 2`, `load feed next page`, `load page 2 of feed`.
  func hintOnPage(in text: String) -> String? {
    let words = CommandText.words(text)
    guard words.first == ShellCommand.load.definition.verb, !words.contains("from"),
      let place = words.prefix(4).firstIndex(where: { $0.lowercased().hasPrefix("page") }),
      members[words[place]] == nil, let name = words.first(where: { members[$0] != nil })
    else { return nil }
    let digits = words[place...].prefix(2).joined().filter(\.isNumber)
    return adviceOnPage(Int(digits) ?? 2, of: name)
  }

  private func adviceOnPage(_ page: Int, of name: String) -> String {
    let path = "/\(name)?page=\(page)"
    let route = "'\(ShellCommand.route.definition.verb) \(path) 200 json VALUE'"
    return
      "a page is a load, and replaces the value: first \(route), then '\(ShellCommand.load.definition.verb) \(name) from \(path)'"
  }

  private static func json(_ text: String) -> JSONValue? {
    var parser = Parser(text, table: .empty)
    return try? parser.value().value
  }

  /// Returns a hint if a load has percentages: `load avatar "img" after 4s progress 25% 50% 75%`.
  func hintOnProgress(in text: String) -> String? {
    let words = CommandText.words(text)
    guard
      let place = words.firstIndex(where: { ["progress", "percent", "reporting"].contains($0) }),
      let name = words.first(where: { members[$0]?.sort == .loadable })
    else { return nil }
    let steps = words[(place + 1)...].map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
      .filter { $0.hasSuffix("%") }.prefix(3)
    let last = words[..<place].dropFirst(2).first { $0.hasPrefix("\"") } ?? "\"done\""
    let values = (steps.isEmpty ? ["50%"] : Array(steps)).map { "\"\($0)\" after 1s" }
    let load =
      "\(ShellCommand.load.definition.verb) \(name) yielding \(values.joined(separator: ", ")), \(last.printable(atMost: 20)) after 1s"
    return "a load has no progress, but several values, as in '\(load)'"
  }

  /// Returns a hint if a text awaits members: `await profile`, `try await profile.value`, `zip a b`.
  func hintOnAwaiting(in text: String) -> String? {
    let words = text.split { " .,()[]".contains($0) }.map(String.init).drop { $0 == "try" }
    let awaited = words.dropFirst().compactMap { members[$0] }.filter {
      [.loadable, .process].contains($0.sort)
    }
    let combining: Set = ["zip", "combine", "combineLatest", "all", "gather", "both"]
    let isWaiting =
      words.count == 2 && words.first?.lowercased() == "waitfor" || words.first == "fulfillment"
      || words.first == ShellCommand.wait.definition.verb
        && words.dropFirst().first?.hasPrefix("for") == true
    let limit =
      words.firstIndex(of: "timeout:").flatMap { words[$0...].dropFirst().first { Int($0) != nil } }
      .map { $0 + "s" } ?? "1m"
    guard let verb = words.first, !awaited.isEmpty,
      verb == "await" || isWaiting || combining.contains(verb) && awaited.count > 1
    else { return nil }
    let check = ShellCommand.expect.definition.verb
    if text.contains(where: { "=<>".contains($0) }) {
      return meaning(ofCondition: text, after: "await")
        ?? "write the state, as in '\(check) \(awaited[0].name) \(awaited[0].endedWord) VALUE within 1m'"
    }
    if awaited.count == 1, words.last != awaited[0].name, let state = words.last,
      (StateSpec.loadableWords + StateSpec.processWords).contains(state)
    {
      return "did you mean '\(check) \(awaited[0].name) \(state) within 1m'?"
    }
    let checks = awaited.prefix(3).map { member in
      "'\(ShellCommand.expect.definition.verb) \(member.name) \(member.endedWord) within \(limit)'"
    }
    return checks.count == 1
      ? "did you mean \(checks[0])?" : "first " + checks.joined(separator: ", then ")
  }

  /// Returns a hint if a text awaits a condition: `await profile == "old"`.
  private func meaning(ofCondition text: String, after verb: String) -> String? {
    guard let start = text.firstRange(of: verb + " "),
      let value = text.split(separator: "=").dropFirst().last?.split(separator: " ").first,
      let meant = meant(
        by: "\(ShellCommand.wait.definition.verb) until \(text[start.upperBound...])"
      ), CommandText.words(meant).contains(String(value))
    else { return nil }
    return "did you mean '\(meant)'?"
  }

  /// Returns a hint if a text sends a value, or the end of a stream, by a call: `prices.yield(1)`, `query.finish()`,
  /// `finish query`.
  func hintOnSending(in text: String) -> String? {
    let parts = text.split { " .()".contains($0) }.map(String.init)
    guard parts.count > 1 else { return nil }
    let isCall = text.prefix { $0 != " " }.contains(".")
    let (name, verb) = isCall ? (parts[0], parts[1]) : (parts[1], parts[0])
    let member = members[name]
    if ["finish", "complete", "close", "end"].contains(verb) {
      guard member?.sort == .input else { return nil }
      return "did you mean '\(ShellCommand.set.definition.verb) \(name) finished'?"
    }
    guard isCall, ["yield", "send", "onNext", "emit"].contains(verb), member?.sort != .input,
      name.first?.isLetter == true
    else { return nil }
    let (input, enter) = (ShellCommand.input.definition.verb, ShellCommand.enter.definition.verb)
    let value = parts.dropFirst(2).joined(separator: " ").printable(atMost: 30)
    let sending = "'\(enter) \(member == nil ? name : "NAME") \(value.isEmpty ? "VALUE" : value)'"
    guard let member else { return "first '\(input) \(name)', then \(sending)" }
    return
      "'\(name)' is \(member.word.withArticle), and values come from an input: first '\(input) NAME', then \(sending)"
  }

  /// Returns a hint if a text gives several values with a time between them: `stream ticks 1, 2, 3 interval 500ms`.
  func hintOnSequence(in text: String) -> String? {
    let all = CommandText.words(text).map { word in
      [",", ":"].contains { word.hasSuffix($0) } && word.count > 1 ? String(word.dropLast()) : word
    }
    let giving: Set = ["yields", "yielding", "emits", "of", "values", ",", "=", ":"]
    // A type is left out: 'stream ticks: Int yields 1, 2'.
    let start = all.firstIndex { ["yields", "yielding", "emits"].contains($0) } ?? 2
    let words = (all.prefix(2) + all.dropFirst(start)).filter { !giving.contains($0) }
    let times = words.filter { CommandText.duration($0) != nil }
    guard words.count > 3, commands.table.index(of: words[0]) == nil,
      ["stream", "emit", "yield", "send", "publish", "asyncstream", "sequence"]
        .contains(words[0].lowercased())
    else { return nil }
    let values = words[2...].prefix { $0.first.map { $0.isNumber || "\"{[".contains($0) } ?? false }
      .filter { CommandText.duration($0) == nil }.prefix(3)
    guard values.count > 1, members[words[1]]?.sort != .input else { return nil }
    let time = times.first ?? "1s"
    let steps = values.map { "\($0.printable(atMost: 20)) after \(time)" }
    let load = "\(ShellCommand.load.definition.verb) \(words[1]) yielding "
    let making = "'\(ShellCommand.loadable.definition.verb) \(words[1])', then "
    return (members[words[1]] == nil ? making : "") + "'\(load)\(steps.joined(separator: ", "))'"
  }
}

extension Member {
  /// The state after a start that succeeds.
  var endedWord: String { sort == .process ? "finished" : "loaded" }
}
