/// A word of the language of pipes, for the parser, help and completion.
package struct PipeWord<Part: Sendable>: Sendable {
  package let word: String
  /// The arguments: `D [first|latest]`.
  package let synopsis: String
  /// A short description: `lets no two equal values in a row through`.
  package let summary: String
  let read: @Sendable (inout Parser) throws(Diagnostic) -> Part

  init(
    _ word: String,
    _ synopsis: String = "",
    _ summary: String,
    read: @escaping @Sendable (inout Parser) throws(Diagnostic) -> Part
  ) {
    self.word = word
    self.synopsis = synopsis
    self.summary = summary
    self.read = read
  }

  /// The word with its arguments.
  package var usage: String { synopsis.isEmpty ? word : word + " " + synopsis }
}

/// The words of pipes.
package enum PipeWords {
  /// The words that begin a source. A name does too.
  package static let sources: [PipeWord<PipeSpec.Source>] = [
    PipeWord("just", "VALUE", "one value, at once, and the end") {
      parser throws(Diagnostic) in .values([try parser.pipeValue()])
    },
    PipeWord("values", "V, V …", "several values, at once, and the end") {
      parser throws(Diagnostic) in .values(try parser.pipeValues())
    },
    PipeWord("empty", "", "the end, at once") { _ throws(Diagnostic) in .values([]) },
    PipeWord("never", "", "nothing, and no end") { _ throws(Diagnostic) in .never },
    PipeWord("fail", "ERROR", "an error, at once") {
      parser throws(Diagnostic) in .fail(try parser.error().value)
    },
    PipeWord("load", "LOAD", "a load that starts again for each subscriber") {
      parser throws(Diagnostic) in .load(try parser.pipeLoad())
    },
    PipeWord("future", "LOAD", "a load that starts at once, runs once and keeps its result") {
      parser throws(Diagnostic) in .future(try parser.pipeLoad())
    },
    PipeWord("timer", "D", "the numbers 1, 2, 3 and so on, one after each D; no end") {
      parser throws(Diagnostic) in .timer(try parser.positiveDuration())
    },
    PipeWord("deferred", "(PIPE)", "a new pipe for each subscriber") {
      parser throws(Diagnostic) in .deferred(try parser.enclosedPipe())
    },
  ]

  /// The operators.
  package static let stages: [PipeWord<PipeSpec.Stage>] =
    transforming + timed + hopping + flattening + failing + joining + counting

  /// Returns a hint for an operator that was used as a command.
  static func hint(forCommand verb: String) -> String? {
    stage[verb].map { "'\($0.word)' is an operator of pipes; 'help \($0.word)' says more" }
  }

  static let source = Dictionary(uniqueKeysWithValues: sources.map { ($0.word, $0) })
  static let stage = Dictionary(uniqueKeysWithValues: stages.map { ($0.word, $0) })

  private static let transforming: [PipeWord<PipeSpec.Stage>] = [
    PipeWord(
      "map",
      "FIELD | VALUE | (PIPE) | load LOAD",
      "a part of each value, a value made from it, or a publisher for it"
    ) { parser throws(Diagnostic) in .map(try parser.mapping()) },
    PipeWord("compactMap", "[FIELD | VALUE]", "like map; drops null") {
      parser throws(Diagnostic) in .compactMap(try parser.transformIfAny())
    },
    PipeWord(
      "tryMap",
      "[FIELD | VALUE] fail ERROR [if [FIELD] == VALUE]",
      "like map; fails if the condition is met, or without a condition if the result is null"
    ) { parser throws(Diagnostic) in try parser.throwingMap() },
    PipeWord("replaceNil", "VALUE", "sends a value instead of null") {
      parser throws(Diagnostic) in .replaceNil(try parser.pipeValue())
    },
    PipeWord(
      "filter",
      "[FIELD] == VALUE",
      "passes values that meet the condition; also != < <= > >="
    ) {
      parser throws(Diagnostic) in .filter(try parser.pipeCondition())
    },
    PipeWord("removeDuplicates", "", "drops a value that equals the previous one") {
      _ throws(Diagnostic) in .removeDuplicates
    },
    PipeWord(
      "scan",
      "sum|count|join|list|min|max [from VALUE]",
      "combines VALUE, if given, and all values so far"
    ) { parser throws(Diagnostic) in
      let (kind, first) = try parser.accumulationWithStart()
      return .scan(kind, from: first)
    },
  ]

  private static let timed: [PipeWord<PipeSpec.Stage>] = [
    PipeWord(
      "throttle",
      "D [first|latest]",
      "the first value at once, then at most one in D: the latest, or the first"
    ) { parser throws(Diagnostic) in
      let window = try parser.duration().value
      if parser.accept("first") != nil { return .throttle(window, latest: false) }
      _ = parser.accept("latest")
      return .throttle(window, latest: true)
    },
    PipeWord("debounce", "D", "sends a value after D without another") {
      parser throws(Diagnostic) in .debounce(try parser.duration().value)
    },
    PipeWord("delay", "D", "sends everything D later") {
      parser throws(Diagnostic) in .delay(try parser.duration().value)
    },
    PipeWord("timeout", "D [fail ERROR]", "ends or fails after D without a value") {
      parser throws(Diagnostic) in
      let limit = try parser.duration().value
      guard parser.accept("fail") != nil else { return .timeout(limit, nil) }
      return .timeout(limit, try parser.error().value)
    },
  ]

  private static let hopping: [PipeWord<PipeSpec.Stage>] = [
    PipeWord(
      "receive",
      "on main|background",
      "sends everything in a separate job at the same instant; background may change the order"
    ) { parser throws(Diagnostic) in .receive(try parser.queue(of: "receive")) },
    PipeWord(
      "subscribe",
      "on main|background",
      "subscribes, requests and cancels in a separate job at the same instant"
    ) { parser throws(Diagnostic) in .subscribe(try parser.queue(of: "subscribe")) },
    PipeWord(
      "handleEvents",
      "[subscription, output, completion, cancel, request]",
      "prints these events, or all, and changes nothing"
    ) { parser throws(Diagnostic) in .handleEvents(try parser.handledEvents()) },
  ]

  private static let flattening: [PipeWord<PipeSpec.Stage>] = [
    PipeWord(
      "switchToLatest",
      "",
      "the values of the latest publisher; cancels the previous one"
    ) { _ throws(Diagnostic) in .switchToLatest },
    PipeWord(
      "flatMap",
      "[max N] (PIPE) | load LOAD",
      "a publisher for each value; sends the values of all; with max, at most N run at once, and a source that cannot wait drops values"
    ) { parser throws(Diagnostic) in
      var most: Int?
      if parser.accept("max") != nil {
        most = try parser.integer("a number of publishers", in: 1...Int.max).value
      }
      return .flatMap(try parser.innerPipe(), maxPublishers: most)
    },
    PipeWord(
      "buffer",
      "N [byRequest|keepFull] [dropOldest|dropNewest|fail ERROR]",
      "keeps up to N values until there is demand for them"
    ) { parser throws(Diagnostic) in try parser.buffer() },
  ]

  private static let failing: [PipeWord<PipeSpec.Stage>] = [
    PipeWord("retry", "N", "subscribes again after an error, at most N times") {
      parser throws(Diagnostic) in
      .retry(try parser.integer("a number of retries", in: 0...Int.max).value)
    },
    PipeWord("replaceError", "VALUE", "sends a value and the end instead of an error") {
      parser throws(Diagnostic) in .replaceError(try parser.pipeValue())
    },
    PipeWord("mapError", "ERROR", "replaces an error by another one") {
      parser throws(Diagnostic) in .mapError(try parser.error().value)
    },
    PipeWord("catch", "VALUE | (PIPE)", "continues with another pipe instead of an error") {
      parser throws(Diagnostic) in .catch(try parser.replacement())
    },
  ]

  private static let joining: [PipeWord<PipeSpec.Stage>] = [
    PipeWord("merge", "SOURCE, …", "the values of all sources, as they come") {
      parser throws(Diagnostic) in .merge(try parser.otherSources())
    },
    PipeWord("combineLatest", "SOURCE, …", "a list of the latest values, when one changes") {
      parser throws(Diagnostic) in .combineLatest(try parser.otherSources())
    },
    PipeWord("zip", "SOURCE, …", "lists of the first values, the second values, and so on") {
      parser throws(Diagnostic) in .zip(try parser.otherSources())
    },
    PipeWord(
      "prepend",
      "V, V … | SOURCE | load LOAD",
      "values or another source first, and after their end the pipe's own source"
    ) { parser throws(Diagnostic) in .prepend(try parser.insertion()) },
    PipeWord(
      "append",
      "V, V … | SOURCE | load LOAD",
      "values or another source after the end; not after an error"
    ) { parser throws(Diagnostic) in .append(try parser.insertion()) },
    PipeWord("share", "", "one subscription for all subscribers") {
      _ throws(Diagnostic) in .share
    },
  ]

  private static let counting: [PipeWord<PipeSpec.Stage>] = [
    PipeWord(
      "prefix",
      "N | while [FIELD] == VALUE | until SOURCE",
      "the first N values, those that meet the condition, or those before SOURCE sends one; then the end"
    ) { parser throws(Diagnostic) in
      if parser.accept("while") != nil { return .prefixWhile(try parser.pipeCondition()) }
      if parser.accept("until") != nil { return .prefixUntil(try parser.otherSource()) }
      guard parser.isAtEnd || parser.isNextNumber else {
        throw parser.expected(
          "a number, 'while' or 'until'",
          hint: "as in 'prefix 3', 'prefix while < 3' or 'prefix until stop'"
        )
      }
      return .prefix(try parser.integer("a number of values", in: 0...Int.max).value)
    },
    PipeWord("dropFirst", "N", "all but the first N values") {
      parser throws(Diagnostic) in
      .dropFirst(try parser.integer("a number of values", in: 0...Int.max).value)
    },
    PipeWord(
      "drop",
      "while [FIELD] == VALUE | until SOURCE",
      "drops the first values, which meet the condition or come before SOURCE sends one; passes the rest"
    ) { parser throws(Diagnostic) in
      if parser.accept("while") != nil { return .dropWhile(try parser.pipeCondition()) }
      guard parser.accept("until") != nil else {
        throw parser.expected("'while' or 'until'", parser.hintForDrop)
      }
      return .dropUntil(try parser.otherSource())
    },
    PipeWord(
      "first",
      "[where [FIELD] == VALUE]",
      "the first value, or the first one that meets the condition, and the end"
    ) { parser throws(Diagnostic) in
      parser.accept("where") == nil ? .first : .firstWhere(try parser.pipeCondition())
    },
    PipeWord("last", "", "the last value, at the end") { _ throws(Diagnostic) in .last },
    PipeWord(
      "collect",
      "[N | D [max N]]",
      "a list of all values, at the end; of each N values; or of the values in each window of D"
    ) { parser throws(Diagnostic) in try parser.collection() },
    PipeWord("count", "", "the number of values, at the end") { _ throws(Diagnostic) in .count },
    PipeWord(
      "reduce",
      "sum|count|join|list|min|max [from VALUE]",
      "combines all values, and a first value if there is one, at the end"
    ) { parser throws(Diagnostic) in
      let (kind, first) = try parser.accumulationWithStart()
      return .reduce(kind, from: first)
    },
    PipeWord("replaceEmpty", "VALUE", "sends a value before the end if there was none") {
      parser throws(Diagnostic) in .replaceEmpty(try parser.pipeValue())
    },
  ]
}
