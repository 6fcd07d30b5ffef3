import RehearsalBase

/// Rewords phrases about time, routes, members and the session, such as `wait 1 s and 500 ms`.
extension WordChanges {
  /// Adds changes of several words that have one meaning together.
  mutating func addPhrases(at place: Int) {
    addLoadPhrases(at: place)
    addFailurePhrases(at: place)
    addAssertionPhrases(at: place)
    addTimePhrases(at: place)
    addRoutePhrases(at: place)
    addSessionPhrases(at: place)
    addRepetition(at: place)
  }

  /// Adds changes of phrases about time.
  private mutating func addTimePhrases(at place: Int) {
    let word = words[place]
    // 'wait 1s500ms' and 'wait 1 s and 500 ms'
    if let sum = Self.sumOfDurations(words[place...]) {
      add([sum.text], for: place..<place + sum.words, cost: 1)
    }
    // 'wait 1,5s'
    if place + 2 < words.count, words[place + 1] == ",", word.utf8.allSatisfy(\.isDigit),
      Self.isDuration(words[place + 2])
    {
      add([word + "." + words[place + 2]], for: place..<place + 3, cost: 1)
    }
    // 'run 1s' and 'run all'
    if verb == "run", place == 1, words.count == 2 {
      if Self.isDuration(word) {
        all += Suggestion.replacements(for: "advance").map { ($0 + [word], 1) }
      }
      if word == "all" || word == "everything" {
        all += Suggestion.replacements(for: "until").map { ($0, 1) }
      }
    }
    // 'wait all' and 'settle feed'
    let rest = words.dropFirst()
    if place == 1, verb == "wait", rest.allSatisfy(Self.wordsForEverythingAtRest.contains) {
      all += Suggestion.replacements(for: "until").map { ($0, 1) }
    }
    if place == 1, words.count == 2, Suggestion.replacements(for: "until").contains([verb]),
      !Self.isDuration(word)
    {
      all.append(([verb], 1))
    }
    // 'run until all done', 'run to end', 'wait until feed loaded timeout 5s' and 'wait for feed'
    let isWaiting = words.count > 3 && verb == "wait" && words[1] == "for"
    if words.count > 2, ["until", "to", "for"].contains(words[1]),
      words[1] == "until" || isWaiting && !Self.isDuration(words[2])
        || words[2...].allSatisfy(Self.wordsForEverythingAtRest.contains)
    {
      var rest = words[2...]
      if rest.allSatisfy(Self.wordsForEverythingAtRest.contains) {
        all += Suggestion.replacements(for: "until").map { ($0, 1) }
      } else {
        var limit = "1m"
        if rest.count > 2, let last = rest.last, Self.isDuration(last),
          Self.wordsForWithin.union(["within"]).contains(rest[rest.endIndex - 2])
        {
          limit = last
          rest = rest.dropLast(2)
        }
        all += Suggestion.replacements(for: "assert").map { ($0 + rest + ["within", limit], 2) }
      }
    }
    // 'time travel 2s'
    if place == 0, words.count > 1, let last = words.last, Self.isDuration(last),
      words.dropLast().allSatisfy(Self.wordsForTimeTravel.contains)
    {
      all += Suggestion.replacements(for: "advance").map { ($0 + [last], 1) }
    }
    // 'step back'
    if place == 1, word == "back", ["step", "go", "jump"].contains(verb) {
      all += Suggestion.replacements(for: word).map { ($0, 1) }
    }
  }

  /// Returns the sum of durations that follow each other, with the count of their words: `1s500ms`, `1 s and 500 ms`.
  private static func sumOfDurations(_ words: ArraySlice<String>) -> (text: String, words: Int)? {
    var (total, parts, count, end) = (Duration.zero, 0, 0, 0)
    let list = Array(words)
    while count < list.count {
      if parts > 0, list[count] == "and" { count += 1 }
      guard count < list.count else { break }
      var text = list[count]
      if count + 1 < list.count, text.allSatisfy(\.isNumber), isUnit(list[count + 1]) {
        text += list[count + 1]
        count += 1
      }
      guard let (length, number) = lengthOfDurations(text) else { break }
      (total, parts, count) = (total + length, parts + number, count + 1)
      end = count
    }
    return parts > 1 ? (total.compact, end) : nil
  }

  /// Returns the length of `1s500ms`, and how many durations it has; nil if it is something else.
  private static func lengthOfDurations(_ word: String) -> (Duration, Int)? {
    var (total, parts, rest) = (Duration.zero, 0, Substring(word))
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      let unit = rest.dropFirst(digits.count).prefix { $0.isLetter }
      guard let known = units[unit.lowercased()] else { return nil }
      var parser = Parser(digits + known, table: .empty)
      guard let length = try? parser.duration().value else { return nil }
      total += length
      parts += 1
      rest = rest.dropFirst(digits.count + unit.count)
    }
    return parts > 0 ? (total, parts) : nil
  }

  private static let wordsForTimeTravel: Set = [
    "time", "travel", "timetravel", "warp", "by", "to", "machine", "virtual",
  ]

  private static let wordsForEverythingAtRest: Set = [
    "all", "everything", "it", "is", "are", "has", "have", "been", "work", "tasks", "loads", "done",
    "idle", "finished", "settled", "complete", "completed", "completion", "end", "ended", "ends",
    "quiet", "the",
  ]

  /// Adds changes of phrases about routes.
  private mutating func addRoutePhrases(at place: Int) {
    let word = words[place]
    // 'route /feed 200 after 3s once'
    if verb == "route", place > 2, ["once", "first", "one-time"].contains(word) {
      add(["then", "pass"], for: place..<place + 1, cost: 1)
    }
    // 'route /books error timedOut'
    if verb == "route", place > 1, ["error", "fail", "failing", "throws"].contains(word),
      place + 1 < words.count, ["timedout", "timeout"].contains(words[place + 1].lowercased())
    {
      add(["never"], for: place..<place + 2, cost: 1)
    }
    // 'route /posts 500 50%'
    if verb == "route", place > 2, word.hasSuffix("%") {
      all.append((["inject", "http", word, words[place - 1]], 1))
    }
  }

  /// Adds an answer as often as it is repeated: `route /posts 500 times 2` as `route /posts 500, 500`.
  private mutating func addRepetition(at place: Int) {
    let isTwice = words[place] == "twice"
    let next = place + 1 < words.count ? words[place + 1] : ""
    let count = words[place] == "times" ? next : next == "times" ? words[place] : ""
    guard let number = isTwice ? 2 : Int(count), 2...5 ~= number,
      let status = words[..<place].lastIndex(where: {
        $0.utf8.count == 3 && $0.utf8.allSatisfy(\.isDigit)
      })
    else { return }
    let repeated = Array(repeating: [","] + words[status..<place], count: number - 1)
    add(repeated.flatMap(\.self), for: place..<place + (isTwice ? 1 : 2), cost: 1)
  }

  /// Adds changes of phrases about members, output and the session.
  private mutating func addSessionPhrases(at place: Int) {
    let word = words[place]
    // 'show --all' and 'show everything'
    if place == 1, Self.looking.contains(verb),
      words[1...].allSatisfy({ Self.signs.contains($0) || ["all", "everything"].contains($0) })
    {
      all += Suggestion.replacements(for: "ls").map { ($0, 1) }
    }
    // 'try all orders' and 'explore feed'
    if place == 0, Suggestion.replacements(for: word).contains(["explore"]),
      words.allSatisfy({ $0.utf8.allSatisfy(\.isLetter) })
    {
      all.append((["explore"], 2))
    }
    if place == 1, verb == "explore", words.count == 2 { all.append(([verb], 6)) }
    // 'open login.transcript'
    if words.count == 2, table.index(of: verb) == nil || ["load", "run"].contains(verb),
      words[1].hasSuffix(".transcript") || words[1].hasSuffix(".rehearse")
    {
      all += Suggestion.replacements(for: "include").map { ($0 + [words[1]], 2) }
    }
    // 'server start 8080' and 'start server on port 8080'
    if place == 0, words.prefix(2).contains("server") {
      let ports = words.filter { $0.utf8.allSatisfy(\.isDigit) }
      if words.allSatisfy({ Self.wordsForServer.contains($0) || ports.contains($0) }) {
        all += Suggestion.replacements(for: "listen").map { ($0 + ports, 1) }
      }
    }
    // 'apropos retry' and 'search retry'
    if place == 0, ["apropos", "search", "find", "whatis"].contains(word), words.count > 1 {
      all.append((["help", "search"] + words.dropFirst(), 1))
    }
    // 'debounce query 300ms'
    if place == 0, words.count > 2, PipeWords.stage[word] != nil {
      add(["pipe", "results", "=", words[1], "|", word], for: 0..<2, cost: 1)
    }
    // 'replay schedule 1:1'
    if place == 0, words.count > 1, table.index(of: word) == nil, table.index(of: words[1]) != nil {
      all.append((Array(words.dropFirst()), 1))
    }
    // 'feed load "x"'
    if place == 0, words.count > 1, table.index(of: word) == nil, table.index(of: words[1]) != nil {
      all.append(([words[1], word] + words.dropFirst(2), 2))
    }
    // 'timeline > timeline.txt'
    if place > 0, word == ">", ["timeline", "states"].contains(verb) {
      add(["to"], for: place..<place + 1, cost: 1)
    }
    // 'log -n 2'
    if verb == "log", place > 0, let count = words.last, count.utf8.allSatisfy(\.isDigit) {
      all.append((["log", "last", count], 1))
    }
    // 'list states'
    if place == 1, words.count == 2, Self.looking.contains(verb), word == "states" {
      all += Suggestion.replacements(for: "ls").map { ($0, 1) }
    }
    // 'show history'
    if place < 2, words.count == 2, Self.looking.contains(verb), words[1] == "history" {
      all += Suggestion.replacements(for: "logs").map { ($0, 1) }
    }
    // 'save timeline feed.svg'
    if verb == "save", words.count == 3, ["timeline", "states"].contains(words[1]) {
      all.append(([words[1], "to", words[2]], 1))
    }
    // 'export transcript'
    if place == 0, words.count == 2, ["export", "write", "dump"].contains(word),
      ["transcript", "session", "commands"].contains(words[1])
    {
      all += Suggestion.replacements(for: "snapshot").map { ($0 + ["first.transcript"], 1) }
    }
    // 'clear feed'
    if place == 0, word == "clear", words.count > 1 { add(["reset"], for: 0..<1, cost: 1) }
    // 'load scene search'
    if place < 3, words.count > 2, table.definition(of: words[1])?.topic == .scenes {
      all.append((Array(words.dropFirst()), 1))
    }
    // 'assertions list'
    if place == 1, words.count == 2, ["list", "all", "show"].contains(word),
      table.definition(of: verb)?.effects.onlyLooks == true
    {
      all.append(([verb], 2))
    }
    // 'delay /users 2s'
    if place == 0, words.count > 2, words[1].hasPrefix("/"), let last = words.last,
      Self.isDuration(last), ["delay", "slow"].contains(word)
    {
      all.append((["route", words[1], "200", "after", last], 1))
    }
    // 'schedule random'
    if verb == "schedule", place == 1, Self.strategies.contains(word) {
      add(["explore"], for: 0..<1, cost: 1)
    }
    // 'timeline svg out.svg'
    if place > 0, ["timeline", "states"].contains(verb), words[place - 1] != "as" {
      if Self.formats.contains(word) { add(["as"], for: place..<place, cost: 1) }
      if word.contains(".") || word.contains("/") { add(["to"], for: place..<place, cost: 1) }
    }
  }

  private static let wordsForServer: Set = [
    "server", "start", "launch", "open", "run", "listen", "on", "at", "port",
  ]

  private static let strategies: Set = [
    "random", "pct", "pos", "urw", "surw", "mixed", "exhaustive",
  ]
  private static let formats: Set = [
    "text", "ascii", "svg", "html", "mermaid", "json", "trace", "marble",
  ]

  /// Returns the words with one of them divided, for each word that has several words of a clause: `wait until` instead of
  /// `waitUntil`, and `retries` instead of `maxRetries`.
  static func divided(_ words: [String]) -> [[String]] {
    words.indices.compactMap { index in
      dividedWords[words[index].lowercased()].map { words[..<index] + $0 + words[(index + 1)...] }
    }
  }

  private static let dividedWords: [String: [String]] = {
    var all = ["waituntil": ["wait", "until"], "waitfor": ["wait", "for"]]
    for word in ["retries", "attempts", "tries"] { all["max" + word] = ["retries"] }
    for word in ["delay", "timeout", "retries"] { all["with" + word] = [word] }
    return all
  }()
}
