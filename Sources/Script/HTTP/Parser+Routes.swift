import HTTPTypes
package import MockHTTP
import RehearsalBase

/// Reads a whole `route`: the pattern, the answers with `or`, and the clauses `then`, `header`, `body` and `for`.
extension Parser {
  /// Reads the rest of a command after `route`: `[METHOD|any] TARGET ANSWER, ANSWER, … [clauses]`,
  /// where each answer may have alternatives, `ANSWER or ANSWER`. The default method is GET.
  ///
  /// The time of an answer is its own, or else that of the last answer or of the clauses.
  package mutating func route() throws(Diagnostic) -> WrittenRoute {
    var names = FieldNames()
    let pattern = try requestPattern(implying: .get, capturing: &names).value
    var drafts = try answerDrafts()
    var clauses = RouteClauses(pattern: pattern, names: names)
    while true {
      if try readClause(of: &clauses) { continue }
      let last = drafts.count - 1
      guard try readTiming(of: &drafts[last][drafts[last].count - 1]) else { break }
    }
    // An unknown word is more likely the mistake than the missing part before it.
    guard isAtEnd else {
      throw Diagnostic(.unexpected(text(nextSpan).printable(atMost: 30)), at: nextSpan)
    }
    for draft in drafts.joined() { try draft.check() }
    return WrittenRoute(
      clauses.pattern,
      drafts: drafts,
      afterLast: clauses.afterLast?.value ?? .repeatLast,
      member: clauses.member
    )
  }

  /// Maximum number of answers of a route.
  package static let mostAnswers = 1000

  /// Reads answers in order, each with its alternatives.
  private mutating func answerDrafts() throws(Diagnostic) -> [[AnswerDraft]] {
    var drafts: [[AnswerDraft]] = []
    var count = 0
    repeat {
      var choices: [AnswerDraft] = []
      repeat {
        guard count < Self.mostAnswers else {
          throw Diagnostic(
            .tooMany("answers", limit: Self.mostAnswers),
            at: nextSpan,
            hint: "repeat the answers with 'then cycle'"
          )
        }
        choices.append(try answerDraft())
        count += 1
      } while accept("or") != nil
      drafts.append(choices)
    } while accept(byte: UInt8(ascii: ","))
    return drafts
  }

  /// Reads one answer for all requests. It cannot use a file.
  package mutating func injectedAnswer() throws(Diagnostic) -> ScriptedAnswer {
    let draft = try answerDraft()
    if let file = draft.file {
      throw Diagnostic(
        .unexpected(file.value.printable(atMost: 30)),
        at: file.span,
        hint: "only a route answers with a file"
      )
    }
    try draft.check()
    return draft.answer(delay: draft.delay, pace: draft.pace)
  }

  // MARK: Clauses

  private mutating func readClause(of clauses: inout RouteClauses) throws(Diagnostic) -> Bool {
    if let span = accept("then") {
      guard clauses.afterLast == nil else { throw Diagnostic(.repeatedClause("then"), at: span) }
      clauses.afterLast = Located(try afterLast(), at: span)
    } else if accept("header") != nil {
      clauses.pattern.headers.append(try headerCondition(capturing: &clauses.names))
    } else if let span = accept("body") {
      guard clauses.pattern.body == nil else { throw Diagnostic(.repeatedClause("body"), at: span) }
      clauses.pattern.body = try bodyCondition()
    } else if let span = accept("for") {
      guard clauses.member == nil else { throw Diagnostic(.repeatedClause("for"), at: span) }
      clauses.member = try scope()
    } else {
      return false
    }
    return true
  }

  private mutating func afterLast() throws(Diagnostic) -> Route.AfterLast {
    for choice in Route.AfterLast.words where accept(choice.word) != nil { return choice.meaning }
    let words = Route.AfterLast.words.map(\.word)
    throw expected(
      "an action after the last answer",
      wordRange().flatMap { Hint.nearest(to: text($0), in: words) }
        ?? .general("one of " + words.joined(separator: ", "))
    )
  }

  /// Reads `NAME "value"`, `NAME {capture}`, or `NAME` for any value.
  private mutating func headerCondition(
    capturing names: inout FieldNames
  ) throws(Diagnostic) -> RequestPattern.Condition {
    let name = try headerName()
    if isNext(byte: UInt8(ascii: "\"")) {
      let value = try quoted("a header's value", example: "\"no-store\"")
      return .init(name: name, value: .text(try headerValue(value)))
    }
    expect(.sample("a header's value", example: "\"no-store\""))
    guard isNext(byte: UInt8(ascii: "{")) else { return .init(name: name, value: .any) }
    let start = position
    let end = bytes[start...].firstIndex { $0 <= 0x20 } ?? bytes.count
    guard let capture = try captureIfAny(start..<end) else {
      throw Diagnostic(
        .malformedTarget("a capture is a name in braces"),
        at: start..<end,
        hint: "as in: header Authorization {token}"
      )
    }
    take(to: end)
    if capture == "any" { return .init(name: name, value: .any) }
    return .init(name: name, value: .capture(try noted(capture, start..<end, in: &names)))
  }

  private mutating func bodyCondition() throws(Diagnostic) -> RequestPattern.BodyCondition {
    if accept("containing") != nil {
      return .contains(try quoted("a text in the body", example: "\"query\"").value)
    }
    if accept("json") != nil { return .json(try value().value.text) }
    throw expected("'containing' or 'json'", hint: "the body of an answer follows its status")
  }

  private mutating func scope() throws(Diagnostic) -> Located<String> {
    expect(.member)
    if isNext(byte: UInt8(ascii: "\"")) { return try text("a member's name", example: "posts") }
    return try word("a member's name")
  }
}

/// The clauses of a route.
private struct RouteClauses {
  var pattern: RequestPattern
  /// The captures that were read so far.
  var names: FieldNames
  var afterLast: Located<Route.AfterLast>?
  var member: Located<String>?
}

extension Route.AfterLast {
  /// The words of a script.
  static let words: [(word: String, meaning: Route.AfterLast)] = [
    ("repeat", .repeatLast), ("cycle", .cycle), ("pass", .pass), ("fail", .fail),
  ]
}
