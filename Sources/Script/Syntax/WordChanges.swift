import RehearsalBase

/// The changes of single words that could remove an error: replaced, removed, added or moved words, units, types.
struct WordChanges {
  /// The words after a change. The cost is higher the less likely the change is.
  typealias Change = (words: [String], cost: Int)

  let words: [String]
  let table: CommandTable
  var all: [Change] = []

  /// Finds the changes at the word `place`, which has the error, and at the word before, which may be its cause.
  init(_ words: [String], errorAt place: Int, isAtEnd: Bool, table: CommandTable, name: String?) {
    self.words = words
    self.table = table
    if let name { addName(name, at: place) }
    if place < words.count { addPhrases(at: place) }
    if place < words.count { addChanges(at: place, cost: 1) }
    if place > 0 { addChanges(at: place - 1, cost: isAtEnd ? 1 : 2) }
    if place < words.count { addWords(at: place) }
    if place < words.count { addMoves(at: place) }
  }

  var verb: String { words[0] }

  /// Adds the name of a member to an assertion that has none: `expect loading`, `expect no error`.
  private mutating func addName(_ name: String, at place: Int) {
    guard verb == "expect", words.count > 1, place < 4 else { return }
    let states = StateSpec.loadableWords + StateSpec.processWords
    if ["no", "without"].contains(words[1]) {
      all.append(([verb, name, StatePattern.difference] + words.dropFirst(2), 1))
    }
    let isCount =
      words.count > 2 && words[1].utf8.allSatisfy(\.isDigit)
      && Suggestion.replacements(for: words[2]).contains(["attempts"])
    if isCount { all.append(([verb, name, "attempts", words[1]], 2)) }
    if states.contains(words[1]) { all.append(([verb, name] + words.dropFirst(), 2)) }
  }

  mutating func add(_ new: [String], for range: Range<Int>, cost: Int) {
    var changed = words
    changed.replaceSubrange(range, with: new)
    if !changed.isEmpty { all.append((changed, cost)) }
  }

  /// Adds the replacements and the removal of a word.
  private mutating func addChanges(at place: Int, cost: Int) {
    let word = words[place]
    let trimmed = word.drop { ".'".contains($0) }
    let bare = String(trimmed.prefix { !":;'".contains($0) })
    // 'isn't': without the apostrophe it would lose its meaning.
    if word.hasSuffix("n't") || Self.wordsForNot.contains(word) {
      return add([StatePattern.difference], for: place..<place + 1, cost: cost)
    }
    if !bare.isEmpty, bare != word { add([bare], for: place..<place + 1, cost: cost) }
    if Self.isErrorAlone(words, at: place, in: table) {
      add(["fail", bare], for: place..<place + 1, cost: cost)
    }
    for meant in Suggestion.replacements(for: bare) {
      let isVerb = table.index(of: meant[0]) != nil
      guard place == 0 ? isVerb : !isVerb || Self.alsoInside.contains(meant[0]) else { continue }
      add(meant, for: place..<place + 1, cost: cost)
    }
    if let state = Self.state(in: bare) { add([state], for: place..<place + 1, cost: cost) }
    if ["then", "and"].contains(bare) { add([","], for: place..<place + 1, cost: cost) }
    if ErrorSpec.urlCodes.contains(where: { $0.name == bare }) {
      add(["url", bare], for: place..<place + 1, cost: cost)
    }
    if let code = ErrorSpec.urlCodes.first(where: { word == "URLError.\($0.name)" }) {
      add(["url", code.name], for: place..<place + 1, cost: cost)
    }
    if ErrorSpec.transports.contains(bare) {
      add(["transport", bare], for: place..<place + 1, cost: cost)
    }
    if Self.wordsForNull.contains(bare) { add(["null"], for: place..<place + 1, cost: cost) }
    if bare == "URLError" { add(["url", "timedOut"], for: place..<place + 1, cost: cost) }
    if bare == "CancellationError" { add(["cancellation"], for: place..<place + 1, cost: cost) }
    if let type = Self.type(in: word) { add(type, for: place..<place + 1, cost: cost) }
    if let field = Self.field(in: word) { add([field], for: place..<place + 1, cost: cost) }
    if let duration = Self.duration(of: words, at: place) {
      add([duration.text], for: duration.range, cost: cost)
    }
    let isAll =
      bare == "all" && ["release", "hold", "routes", "requests"].contains(verb)
      || ["as", ">", ">>", "overwrite", "force", "transcript", "file"].contains(bare)
        && ["save", "record"].contains(verb)
      || bare == "as" && ["loadable", "input"].contains(verb)
      || verb == "list" && Suggestion.replacements(for: bare).allSatisfy { $0 == [verb] }
    // A new member may have such a name: 'loadable name String'.
    let isName =
      place == 1 && words.count > 2 && !["called", "named", "new", "the"].contains(bare)
      && table.definition(of: verb)?.effects.contains(.declaresName) == true
    if place > 0, !isName,
      isAll || Self.fillers.contains(bare.lowercased()) || Self.signs.contains(word)
    {
      add([], for: place..<place + 1, cost: cost)
    }
    if word.hasPrefix("\"/"), word.count > 2 {
      add([String(word.dropFirst().dropLast())], for: place..<place + 1, cost: cost)
    }
    // A text without quotes: the least likely, since each unknown word could be one.
    if place > 1, bare.utf8.first?.isLetter == true, bare.utf8.allSatisfy(\.isWordByte),
      !isKnown(bare), !StateSpec.words.contains(bare)
    {
      let isError = words[place - 1] == "fail" && !Self.isFiller(bare)
      add(["\"\(bare)\""], for: place..<place + 1, cost: isError ? cost : cost + 4)
    }
    // A word that means nothing here, before others that do.
    if place > 0, cost == 1, place < words.count - 1, bare == word,
      word.utf8.allSatisfy(\.isLetter),
      !Self.negations.contains(word), table.index(of: word) == nil, !isKnown(word)
    {
      add([], for: place..<place + 1, cost: cost + 4)
    }
  }

  private static let wordsForNot: Set = [
    "isnt", "wasnt", "doesnt", "arent", "isNot", "is-not", "notToBe",
  ]

  /// Words that must not be removed, because this would reverse the meaning.
  private static let negations: Set = [
    "not", "no", "never", "without", "isnt", "wasnt", "doesnt", "didnt", "dont", "hasnt", "cannot",
    "except", "unless",
  ]

  static let wordsForNull: Set = ["nil", "NULL", "Null", "None", "undefined"]

  /// Verbs that are also words inside of other commands.
  private static let alsoInside: Set = ["never", "retry", "timeline"]

  /// Whether a word has a meaning in this command, or one that another tool gives it.
  private func isKnown(_ word: String) -> Bool {
    let clauses = table.definition(of: verb)?.clauseWords ?? []
    return verb == "route" || clauses.contains(word)
      || StartRequest.Outcome.words.contains(word) || ErrorSpec.words.contains(word)
      || Suggestion.isOtherWord(word)
  }

  /// Adds what may be missing before a word, and where else the word may belong.
  private mutating func addWords(at place: Int) {
    let word = words[place]
    let isNumber = word.utf8.allSatisfy(\.isDigit)
    var missing: [[String]] = []
    if Self.isDuration(word) { missing += [["after"], ["within"], ["every"]] }
    if isNumber, word.utf8.count == 3 { missing += [["http"], ["fail", "http"]] }
    if word.hasPrefix("/") || word.contains("://") || Parser.methodNames.contains(word) {
      missing.append(["from"])
    }
    if Self.isValue(word) {
      // A loadable reads a text in quotes from JSON.
      let types = word.hasPrefix("\"") ? ["json", "text"] : ["json"]
      missing.append(["sending", "json"])
      missing += types.flatMap { [[$0], ["200", $0]] } + [["loaded"], [","], ["or"]]
    }
    if verb == "route", ["json", "text", "html", "file", "bytes"].contains(word) {
      missing.append(["200"])
    }
    if verb == "expect", place == 2 { missing += [["loaded"], ["finished"]] }
    // 'query = "a"' and 'feed loaded'
    if place == 0, words.count > 1, !isKnown(word), PipeWords.stage[word] == nil {
      missing +=
        words.contains("|")
        ? [["pipe", "results", "="]]
        : Self.isSign(words[1])
          ? [["enter"], ["set"], ["expect"]] : [["enter"], ["expect"], ["set"]]
    }
    if ["loadable", "process"].contains(verb), place == 2 { missing += [[":"], ["="]] }
    if verb == "pipe" || verb == "publisher", place == 2 { missing.append(["="]) }
    if verb == "allow", place == 1 { missing.append(["network"]) }
    for new in missing { add(new, for: place..<place, cost: 2) }
    if ["route", "endpoint", "hold"].contains(verb) || place > 0 && words[place - 1] == "from",
      word.utf8.first?.isLetter == true
    {
      add([Parser.beginning(ofTarget: word) + word], for: place..<place + 1, cost: 2)
    }
  }

  /// Whether the word is the name of an error and also of a clause, without the word `fail` before it: `load feed timeout`.
  static func isErrorAlone(_ words: [String], at place: Int, in table: CommandTable) -> Bool {
    place == 2 && words.count == 3 && ErrorSpec.words.contains(words[2])
      && table.definition(of: words[0])?.clauseWords.contains(words[2]) == true
  }

  /// Adds other orders of the words.
  private mutating func addMoves(at place: Int) {
    let word = words[place]
    func add(_ changed: [String], cost: Int = 2) { all.append((changed, cost)) }
    // 'load feed after 1s "x"': the answer belongs before the clause.
    if Self.isValue(word), place > 3 {
      var moved = words
      moved.insert(moved.remove(at: place), at: place - 2)
      add(moved)
    }
    // 'load feed after 1s fail "x"'
    if place > 3, place + 1 < words.count, word == "fail" {
      var moved = words
      let clause = Array(words[(place - 2)..<place])
      moved.insert(contentsOf: clause, at: place + 2)
      moved.removeSubrange((place - 2)..<place)
      add(moved)
    }
    // 'expect loaded feed'
    if place == 2, !["pipe", "publisher", "schedule"].contains(verb) {
      var swapped = words
      swapped.swapAt(1, 2)
      add(swapped)
    }
    // 'type "text" into query'
    if place == 1, words.count > 2, Self.isValue(word), let last = words.last {
      let isJoined = ["in", "into", "to", "on"].contains(words[words.count - 2])
      add([verb, last] + words.dropFirst().dropLast(isJoined ? 2 : 1))
    }
    // 'expect 2 attempts of feed'
    if verb == "expect", words.count > 2, words[1].utf8.allSatisfy(\.isDigit), let last = words.last
    {
      add([verb, last, "attempts", words[1]])
    }
    // 'pipe all = merge(a, b)'
    if words.count > 4, ["pipe", "publisher"].contains(verb), PipeWords.stage[words[3]] != nil {
      let rest = words[5...].drop { $0 == "," }
      add(words[..<3] + [words[4], "|", words[3]] + rest)
    }
    // 'cancel feed after 2s' and 'enter query "a" after 2s'
    if place > 1, place == words.count - 2, Self.isDuration(words[place + 1]),
      ["after", "in", "at", "every"].contains(word)
    {
      add([word == "at" ? "at" : "in", words[place + 1]] + words[..<place])
    }
    // 'wait until feed is loaded'
    if verb == "wait", place == 1 { add(["expect"] + words.dropFirst() + ["within", "1m"]) }
    // 'show requests' and 'add route /users 200'
    let isLooking =
      table.index(of: verb) == nil || Self.looking.contains(verb) || verb == "run"
    if place < 2, words.count > 1, isLooking {
      let known = [[words[1]]] + Suggestion.replacements(for: words[1])
      for command in known where table.index(of: command[0]) != nil {
        add(command + words.dropFirst(2))
      }
    }
    // 'process upload: Int'
    if verb == "process", word == ":" { add(Array(words[..<place])) }
    // 'x => x.name'
    if place > 0, place + 1 < words.count, word.hasPrefix("=") {
      add(Array(words[..<(place - 1)] + words[(place + 1)...]))
      if let field = words[place + 1].split(separator: ".").last, word == "=>" {
        add(words[..<(place - 1)] + [String(field)] + words[(place + 2)...], cost: 1)
      }
    }
  }

  static let looking: Set = ["show", "list", "view", "log"]

  /// Words without a meaning of their own. Removing them keeps the meaning.
  private static let fillers: Set = [
    "is", "to", "be", "that", "with", "returns", "returning", "return", "tobe", "toequal",
    "equals", "equal", "eq", "should", "the", "for", "until", "value", "by", "of", "it",
    "has", "was", "been", "called", "and", "try", "await", "status", "code", "responds", "answers",
    "response", "respond", "times", "have", "become", "becomes", "count", "up", "name", "named",
    "type", "new", "into", "session", "runs", "schedules", "last", "success", "eventually",
    "async", "now", "immediately", "state", "using", "result",
    "time", "random", "either", "oneof", "steps", "commands", "iterations", "seeds",
  ]

  static func isSign(_ word: String) -> Bool {
    !word.isEmpty && word != "-" && word.allSatisfy { "=<>!-:".contains($0) }
  }

  static func isFiller(_ word: String) -> Bool { fillers.contains(word.lowercased()) }

  static let signs: Set = [
    "=", "==", "===", "->", "=>", ":", ":=", ",", ";", "--", "-", ".", "<-",
  ]

  /// Returns the state that a name such as `isLoading`, `hasFailed` or `toBeLoaded` is about.
  static func state(in word: String) -> String? {
    let known = ["loading", "loaded", "error", "absent", "idle", "running", "failed", "finished"]
    let lower = word.lowercased()
    let verbs = ["load": "loaded", "finish": "finished", "fail": "error", "failed": "error"]
    if let state = verbs[lower] { return state }
    return known.first {
      lower.hasSuffix($0) && ["is", "has", "be", "tobe"].contains(lower.dropLast($0.count))
    }
  }

  /// Returns the words with each number and unit as one duration: `2 seconds` as `2s`.
  static func withDurations(_ words: [String]) -> [String] {
    var (merged, place) = ([String](), 0)
    while place < words.count {
      let duration = duration(of: words, at: place)
      merged.append(duration?.text ?? words[place])
      place = duration?.range.upperBound ?? place + 1
    }
    return merged
  }

  /// Returns the words of a type in the spelling of Swift or TypeScript: `Array<Int>`, `Int[]` or `name<Int>`.
  private static func type(in word: String) -> [String]? {
    if word.hasSuffix("[]") { return ["[\(word.dropLast(2))]"] }
    guard word.hasSuffix(">"), let open = word.firstIndex(of: "<"), open > word.startIndex else {
      return nil
    }
    let (name, type) = (word[..<open], word[open...].dropFirst().dropLast())
    switch name {
    case "Array", "Set": return ["[\(type)]"]
    case "Optional": return ["\(type)?"]
    default: return [String(name), ":", String(type)]
    }
  }

  /// Returns the field that a key path or a closure reads: `\\.name`, `$0.name`, `{ $0.name }` or `x.name`.
  private static func field(in word: String) -> String? {
    let inner = word.drop { "{ ".contains($0) }.reversed().drop { "} ".contains($0) }.reversed()
    let text = String(inner)
    guard let dot = text.firstIndex(of: "."),
      ["\\", "$0", "$0?"].contains(text[..<dot])
    else {
      return nil
    }
    return String(text[dot...].dropFirst())
  }

  static func isValue(_ word: String) -> Bool {
    guard let first = word.utf8.first else { return false }
    return "\"{[".utf8.contains(first) || word.utf8.allSatisfy(\.isDigit) || word == "true"
      || word == "false"
  }

  static func isDuration(_ word: String) -> Bool {
    let digits = word.utf8.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    let unit = word.utf8.dropFirst(digits.count)
    return !digits.isEmpty && units.values.contains { $0.utf8.elementsEqual(unit) }
  }

  static func isUnit(_ word: String) -> Bool { units[word.lowercased()] != nil }

  static let units = [
    "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s",
    "ms": "ms", "msec": "ms", "milli": "ms", "millis": "ms", "millisecond": "ms",
    "milliseconds": "ms", "us": "us", "microseconds": "us", "ns": "ns", "nanoseconds": "ns",
    "m": "m", "min": "m", "mins": "m", "minute": "m", "minutes": "m",
    "h": "h", "hr": "h", "hour": "h", "hours": "h",
  ]

  /// Returns the spelling of a duration for '1 second', '1sec', 'seconds 1' or '1'. A number without a unit is in
  /// milliseconds if it is large.
  private static func duration(of words: [String], at place: Int) -> (
    text: String, range: Range<Int>
  )? {
    let word = words[place]
    let digits = String(word.prefix { $0.isNumber || $0 == "." })
    let next = place + 1 < words.count ? words[place + 1] : ""
    if digits.isEmpty {
      guard let unit = units[word.lowercased()], next.first?.isNumber == true,
        next.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") })
      else { return nil }
      return (next + unit, place..<place + 2)
    }
    guard digits.first != "." else { return nil }
    let unit = word.dropFirst(digits.count).lowercased()
    if !unit.isEmpty {
      guard let known = units[unit], known != unit else { return nil }
      return (digits + known, place..<place + 1)
    }
    if let unit = units[next.lowercased()] { return (digits + unit, place..<place + 2) }
    guard place > 0, clausesWithDuration.contains(words[place - 1]) else { return nil }
    let isLarge = digits.utf8.count > 2 && !digits.contains(".")
    return (digits + (isLarge ? "ms" : "s"), place..<place + 1)
  }

  private static let clausesWithDuration: Set = [
    "after", "wait", "within", "every", "timeout", "in", "at", "rewind", "backoff", "to", "over",
    "debounce", "throttle", "delay", "timer",
  ]
}
