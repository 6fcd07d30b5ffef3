import RehearsalBase

/// Rewords phrases about loads and processes: main actor, repeated failures, random delays.
extension WordChanges {
  /// Adds changes of phrases about clauses of loads.
  mutating func addLoadPhrases(at place: Int) {
    let word = words[place]
    // 'load feed "x" on main': code runs on the main actor anyway.
    if place > 1, Self.isMainActor(word), Self.prepositions.contains(words[place - 1]) {
      let end = words[place...].firstIndex { !Self.isMainActor($0) } ?? words.count
      add([], for: place - 1..<end, cost: 1)
    }
    // 'load feed "x" in background'
    if place > 1, place + 1 < words.count, words[place + 1] == "background",
      Self.prepositions.contains(word)
    {
      add(["priority", "background"], for: place..<place + 2, cost: 1)
    }
    // 'load feed "x" cancel after 1s'
    if place > 2, place + 2 < words.count, ["cancel", "cancelled", "cancels"].contains(word),
      Self.isDuration(words[place + 2])
    {
      all.append((["in", words[place + 2], "cancel", words[1]], 1))
    }
    // 'load feed "x" timeout after 2s'
    if place > 1, words[place - 1] == "timeout", place + 1 < words.count,
      Self.isDuration(words[place + 1])
    {
      add([], for: place..<place + 1, cost: 1)
    }
    // 'load feed {name: "x"}'
    if place > 1, word.hasPrefix("{") || word.hasPrefix("["), word.contains(":") {
      let quoted = word.replacing(#/([\{,]\s*)([A-Za-z_]\w*)\s*:/#) { "\($0.1)\"\($0.2)\":" }
      if quoted != word { add([quoted], for: place..<place + 1, cost: 1) }
    }
    // 'load feed "x" ignoring cancellation'
    if place > 1, place + 1 < words.count, words[place + 1].hasPrefix("cancel"),
      ["ignoring", "ignores", "ignore", "not", "without"].contains(word)
    {
      add(["uncancellable"], for: place..<place + 2, cost: 1)
    }
    // 'load feed "x" wait 1s'
    if place > 1, place + 1 < words.count, ["wait", "sleep"].contains(word),
      Self.isDuration(words[place + 1])
    {
      add(["after"], for: place..<place + 1, cost: 1)
    }
    // 'cancel load feed'
    if words.count > 2, table.index(of: words[1]) != nil, words[1] != StatePattern.negation,
      place == 1 || place == 2
    {
      add([], for: 1..<2, cost: 2)
    }
    // 'timeout feed 5s'
    if place == 0, words.count > 1, table.definition(of: "load")?.clauseWords.contains(word) == true
    {
      add(["load", words[1], "never", word], for: 0..<2, cost: 1)
    }
    // 'load feed "x" retry twice'
    if place > 1, words[place - 1] == "retry", let count = Self.countOfTimes(words[place...]) {
      add(["\(count.number)"], for: place..<place + count.words, cost: 1)
    }
    // 'load feed again'
    if place > 1, place == words.count - 1, word == "again" {
      all += Suggestion.replacements(for: word).map { ($0 + [words[1]], 1) }
    }
    // 'load feed "x" ignore-cancel'
    if place > 1, word.contains("cancel"),
      word.contains("ignor") || word.hasPrefix("no-") || word.hasPrefix("non-")
    {
      add(["uncancellable"], for: place..<place + 1, cost: 1)
    }
  }

  /// Adds changes of phrases about failures and random delays.
  mutating func addFailurePhrases(at place: Int) {
    let word = words[place]
    // 'load feed throws URLError(.timedOut)'
    if word == "URLError", place + 3 < words.count, words[place + 1] == "(",
      let code = ErrorSpec.urlCodes.first(where: { "." + $0.name == words[place + 2] })
    {
      add(["url", code.name], for: place..<place + 4, cost: 1)
    }
    // 'load feed "x" failing twice'
    if place > 0, words[place - 1] == "failing", let count = Self.countOfTimes(words[place...]) {
      add(["\"boom\"", "times", "\(count.number)"], for: place..<place + count.words, cost: 1)
    }
    // 'load feed fail "x" twice'
    if place > 3, words[place - 2] == "fail", words[place - 1].hasPrefix("\""),
      let count = Self.countOfTimes(words[place...])
    {
      let value = place == 4 ? ["\"text\""] : []
      add(
        value + ["failing", words[place - 1], "times", "\(count.number)"],
        for: place - 2..<place + count.words,
        cost: 1
      )
    }
    // 'load feed "x" fails 2 times'
    if place > 1, ["fails", "failing", "fail"].contains(word),
      let count = Self.countOfTimes(words[(place + 1)...])
    {
      add(
        ["failing", "\"boom\"", "times", "\(count.number)"],
        for: place..<place + 1 + count.words,
        cost: 1
      )
    }
    // 'after random(1s, 3s)' and 'after random 1s to 3s'
    if place > 0, Self.randomWords.contains(word.lowercased()) {
      let rest = words[(place + 1)...].prefix(5).filter { !Self.betweenDurations.contains($0) }
      let times = rest.prefix(2)
      if times.count == 2, times.allSatisfy(Self.isDuration),
        let end = words[place...].lastIndex(of: times[times.startIndex + 1])
      {
        let close = end + 1 < words.count && words[end + 1] == ")" ? end + 2 : end + 1
        add(
          [times[times.startIndex], "to", times[times.startIndex + 1]],
          for: place..<close,
          cost: 1
        )
      }
    }
    // 'fail feed "offline"'
    if place == 0, words.count > 1,
      word == "fail" || Suggestion.replacements(for: word).contains(["fail"])
    {
      // A load in flight fails by 'inject', whose cost is lower.
      add(["load", words[1], "fail"], for: 0..<2, cost: 2)
    }
  }

  /// Returns the number in `twice`, `once`, `2 times`, `times 2` or `2`, with its count of words; nil for other words.
  private static func countOfTimes(_ words: ArraySlice<String>) -> (number: Int, words: Int)? {
    let word = words.first ?? ""
    let next = words.dropFirst().first ?? ""
    switch word {
    case "once": return (1, 1)
    case "twice": return (2, 1)
    case "times": return Int(next).map { ($0, 2) }
    default: return Int(word).map { ($0, next == "times" ? 2 : 1) }
    }
  }

  private static let randomWords: Set = ["random", "rand", "randomly", "uniform", "jitter"]
  private static let betweenDurations: Set = ["(", ")", ",", "to", "and", "-", "..."]

  private static func isMainActor(_ word: String) -> Bool {
    let lower = word.lowercased()
    return ["main", "the", "thread", "queue", "actor"].contains(lower)
      || Suggestion.replacements(for: lower).contains(["main"])
  }

  private static let prepositions: Set = ["on", "in", "at", "to", "via", "using"]
}
