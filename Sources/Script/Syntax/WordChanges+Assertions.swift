import RehearsalBase

/// Rewords phrases in assertions, such as `expect feed loading is false` or `expect feed loaded eventually`.
extension WordChanges {
  /// Adds changes of phrases about assertions.
  mutating func addAssertionPhrases(at place: Int) {
    let word = words[place]
    // 'expect user.name == "Ann"' and 'expect users[0].name "Ann"'
    if words.count > 1, let (name, path) = Self.part(in: words[1]) {
      let rest = words[2...].drop {
        Self.isSign($0) && !$0.hasPrefix("!") || Self.wordsForEqual.contains($0.lowercased())
      }
      let state = rest.first.map(Self.isValue) == true ? ["loaded"] : []
      all.append(([verb, name, "map", path] + state + rest, 1))
    }
    // 'expect user map name "Ann"'
    if words.count > 4, words[2] == "map", place >= 2 {
      let rest = words[4...].drop { Self.isSign($0) && !$0.hasPrefix("!") }
      if rest.first.map(Self.isValue) == true {
        all.append((words[..<4] + ["loaded"] + rest, 1))
      }
    }
    // 'expect feed loaded "x" timeout 5s'
    if place > 1, ["expect", "eventually"].contains(verb), place + 1 < words.count,
      Self.isDuration(words[place + 1]), Self.wordsForWithin.contains(word)
    {
      add(["within"], for: place..<place + 1, cost: 1)
    }
    // 'eventually feed == "x"'
    if place == 2, words.count > 3, Self.isSign(word), !word.hasPrefix("!"),
      Self.isValue(words[3]), table.definition(of: verb)?.effects.contains(.asserts) == true
    {
      add(["loaded"], for: place..<place + 1, cost: 1)
    }
    // 'expect no requests'
    if place < 3, words.count == 3, ["no", "zero"].contains(words[1]), words[2] == "requests" {
      all.append(([verb, words[2], "0"], 1))
    }
    // 'expect feed != nil'
    if place == 2, words.count == 4, word.hasPrefix("!"), Self.isSign(word),
      Self.wordsForNull.contains(words[3])
    {
      all.append((words[..<2] + ["loaded"], 1))
    }
    // 'expect feed != loaded "old"'
    if place == 2, verb == "expect", word.hasPrefix("!"), Self.isSign(word), words.count > 3 {
      all.append((words[..<2] + [StatePattern.difference] + words[3...], 1))
    }
    // 'expect feed loaded == true'
    if place > 2, place == words.count - 2, Self.isSign(word),
      StateSpec.words.contains(words[place - 1]), ["true", "false"].contains(words[place + 1])
    {
      let isTrue = (words[place + 1] == "true") == (word.first != "!")
      // The value may be a Bool, too.
      if ["loaded", "finished"].contains(words[place - 1]) {
        all.append((words[..<place] + [isTrue ? "true" : "false"], 1))
      }
      all.append(
        (words[..<2] + (isTrue ? [] : [StatePattern.difference]) + words[2..<place], 2)
      )
    }
    // 'expect feed loading is false'
    if place > 2, place == words.count - 1, word == "true" || word == "false" {
      let negation = word == "true" ? [] : [StatePattern.difference]
      all.append((words[..<2] + negation + words[2..<place], 1))
    }
    // 'expect feed loaded eventually' and 'expect feed eventually "x"'
    if place > 1, verb == "expect", ["eventually", "finally", "always"].contains(word) {
      let check = word == "always" ? word : "eventually"
      all.append(([check] + words[1..<place] + words[(place + 1)...], 1))
    }
    // 'always feed not error'
    if place == 2, verb == "always", word == "not" || word == StatePattern.negation {
      all.append(([StatePattern.negation, words[1]] + words[3...], 1))
    }
    // 'expect feed loaded 2 times'
    if place > 2, verb == "expect", word == "times", words[place - 1].utf8.allSatisfy(\.isDigit) {
      all.append(([verb, words[1], "attempts", words[place - 1]], 1))
    }
    // 'expect feed never "x"'
    if [StatePattern.negation, StatePattern.difference].contains(word), place + 1 < words.count,
      Self.isValue(words[place + 1])
    {
      add([word, "loaded"], for: place..<place + 1, cost: 1)
    }
    // 'expect !feed loading' and 'expect not feed loading'
    if place == 1, words.count > 3, word == "!" || word == "not" {
      all.append(([verb, words[2], StatePattern.difference] + words[3...], 1))
    }
    // 'expect feed loaded new'
    let isLast = place == words.count - 1 || words[place + 1] == "within"
    if place > 2, isLast, words[place - 1] == "loaded", word == "new" || word == "old" {
      add(["\"\(word)\""], for: place..<place + 1, cost: 1)
    }
  }

  static let wordsForWithin: Set = ["timeout", "before", "by", "under", "max"]

  private static let wordsForEqual: Set = [
    "is", "be", "to", "tobe", "equal", "equals", "toequal", "eq", "should",
  ]

  /// Returns the name and the path of `users[0].name`, `users.count` or `users.first`; nil for a plain name.
  private static func part(in word: String) -> (name: String, path: String)? {
    let parts = word.split { ".[]?!".contains($0) }.map(String.init)
    guard parts.count > 1, parts[0].first?.isLetter == true else { return nil }
    let usual = ["count": "length", "first": "0", "size": "length"]
    return (parts[0], parts.dropFirst().map { usual[$0] ?? $0 }.joined(separator: "."))
  }
}
