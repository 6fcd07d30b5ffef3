package import RehearsalBase

/// An error in a command: its problem, range and hint; the texts and hints of all problems, those of files included.
package struct Diagnostic: Error, Equatable {
  package var problem: Problem
  /// The range of the error in the command's text, in bytes.
  package var span: Range<Int>
  /// What to try instead.
  package var remedy: Hint?

  package var hint: String? { remedy?.text }

  package init(_ problem: Problem, at span: Range<Int>, hint: String? = nil) {
    self.init(problem, at: span, hint.map { .advice($0) })
  }

  package init(_ problem: Problem, at span: Range<Int>, _ remedy: Hint?) {
    self.problem = problem
    self.span = span
    self.remedy = remedy
  }

  /// Returns the text at its range.
  package func word(in text: String) -> String {
    let bytes = Array(text.utf8)
    let span = span.clamped(to: bytes.startIndex..<bytes.endIndex)
    return String(decoding: bytes[span], as: UTF8.self)
  }
}

/// Everything that can be wrong with a command. `sentence` writes the messages, so that the same
/// error always reads the same.
package enum Problem: Error, Hashable {
  // What was typed.
  case unknownCommand(String)
  case expected(String, found: String?)
  case unexpected(String)
  /// An `or` after the clauses, which hold for all answers.
  case lateAnswer
  case repeatedClause(String)
  case conflictingClauses(String, String)
  case unknownOption(String)
  case unfinished(String)
  /// A `|` at the end of a command, with nothing after it.
  case unfinishedPipe
  case tooLong(bytes: Int, limit: Int)
  /// Blanks or a comment contain a character that looks like a line end.
  case lineEndLookalike(LineEndLookalike)
  /// A comment that would be an expectation in Swift.
  case swiftExpectation
  case nestedTooDeep(limit: Int)
  case testsNestedTooDeep(limit: Int)
  case notHere(verb: String, place: String)

  // Values, durations, types.
  case malformedValue(String)
  case unknownUnit(String)
  case missingUnit(String)
  case negative(String)
  case durationTooLong(String)
  case durationTooFine(String)
  case numberOutOfRange(String, allowed: String)
  case wrongType(path: String, expected: String, found: String)
  case unknownType(String)
  case malformedDateFormat(String)
  case repeatedField(String)

  // Requests and routes.
  case unknownMethod(String)
  case malformedTarget(String)
  case repeatedCapture(String)
  case malformedHeader(String)
  case malformedBase64
  case noBodyAllowed(status: Int, word: String)
  case bodyNeeded(String)
  case beyondBody(String, bytes: Int, size: Int)
  case noRedirect(status: Int)
  case runsBackwards(String)
  case tooMany(String, limit: Int)

  // Pipes.
  case unknownOperator(String)
  case unknownPlaceholder(String)
  case nothingComesIn(String)
  case malformedMarble(String)
  case repeatedLetter(Character)
  case notDrawn(Character)
  case cannotDraw(String)
  case noValues(String, is: String)
  case pipeCycle([String])
  case unsuitableStage(String, takes: String, gets: String)
  case incomparable(String, with: String)
  case publishersAtEnd
  case hasEnded(String)

  // Members.
  case unknownMember(String)
  case memberExists(String, what: String)
  case shapeExists(String)
  case reservedWord(String, of: String)
  case wrongMember(String, is: String, needed: String)
  case movedByItsCode(String, is: String)
  case unknownPolicy(String)
  case unknownKind(String, of: String)
  case missingKind(of: String)
  case nothingInFlight(String)
  case nothingToRetry(String)
  case noSuchField(String, in: String)
  case noButton(String, in: String, showing: String)
  case takesNoAnswer(String)

  // Scenes.
  case unknownScene(String)
  case sceneFailed(String, reason: String)
  /// A value that the code of a scene does not accept.
  case undecodable(type: String, reason: String)
  case actionFailed(String, reason: String)

  // HTTP.
  case notServing
  case noNetwork
  case hostNotAllowed(String)
  case cannotServe(String)
  case notForFiles(String)
  case unknownRoute(Int)
  case unknownEndpoint(String)
  case endpointExists(String)
  case noSource(String)

  // Time.
  case inThePast(String, now: String)
  case cannotTravel(String)
  case neverSettles(String)
  /// A schedule has a choice that does not exist.
  case misfit(String)

  // Files.
  case cannotRead(String, reason: String)
  case cannotWrite(String, reason: String)
  case sourcesItself(String)
  /// A script has commands after the one that ends the session.
  case endedBefore(String)

  // Expectations.
  /// `state` is the word of the actual state, `kind` its kind; nil if no state was expected. `actual` is the actual state or
  /// number as text; nil if the check is about neither.
  case expectationFailed(
    String,
    state: String? = nil,
    kind: String? = nil,
    actual: String? = nil
  )
  case unknownAssertion(Int)
  case unknownTopic(String)
  case noExample(of: String, count: Int)

  /// The message: lower case, a fact, the author's words in quotes, no full stop.
  package var sentence: String {
    switch self {
    case .unknownCommand(let verb): "there is no command '\(verb)'"
    case .expected(let what, let found?): "expected \(what), but found '\(found)'"
    case .expected(let what, nil): "expected \(what), but the command ends here"
    case .unexpected(let text): "did not expect '\(text)' here"
    case .lateAnswer: "'or' comes after the clauses, which hold for every answer"
    case .repeatedClause(let word): "'\(word)' is given twice"
    case .conflictingClauses(let first, let second): "'\(first)' and '\(second)' exclude each other"
    case .unknownOption(let name): "there is no option '\(name)'"
    case .unfinished(let what): "\(what) is never closed"
    case .unfinishedPipe: "nothing follows the last '|'"
    case .tooLong(let bytes, let limit): "the line has \(bytes) bytes; the limit is \(limit)"
    case .lineEndLookalike(let lookalike): lookalike.sentence
    case .swiftExpectation: "'#' begins a comment, so this checks nothing"
    case .nestedTooDeep(let limit): "nested deeper than \(limit) levels"
    case .testsNestedTooDeep(let limit): "more than \(limit) transcripts replay each other"
    case .notHere(let verb, let place): "'\(verb)' cannot be used in '\(place)'"
    case .malformedValue(let reason): "not a JSON value: \(reason)"
    case .unknownUnit(let unit): "there is no unit '\(unit)'"
    case .missingUnit(let number): "'\(number)' has no unit"
    case .negative(let text): "'\(text)' is negative"
    case .durationTooLong(let text): "'\(text)' is too long"
    case .durationTooFine(let text): "'\(text)' is finer than a nanosecond"
    case .numberOutOfRange(let text, let allowed): "'\(text)' is not \(allowed)"
    case .wrongType(let path, let expected, let found):
      path.isEmpty
        ? "expected \(expected), but the value is \(found)"
        : "expected \(expected) at \(path), but the value there is \(found)"
    case .unknownType(let name): "there is no type '\(name)'"
    case .malformedDateFormat(let reason): "not a date format: \(reason)"
    case .repeatedField(let name): "the field '\(name)' is given twice"
    case .unknownMethod(let name): "there is no method '\(name)'"
    case .malformedTarget(let reason): "not a path or an address: \(reason)"
    case .repeatedCapture(let name): "'{\(name)}' is captured twice"
    case .malformedHeader(let reason): "not a header field: \(reason)"
    case .malformedBase64: "not base64"
    case .noBodyAllowed(let status, let word):
      "an answer with status \(status) has no body, but '\(word)' needs one"
    case .bodyNeeded(let word): "'\(word)' needs a body, but there is none"
    case .beyondBody(let word, let bytes, let size):
      "'\(word)' comes after \(bytes) bytes, but the body has \(size)"
    case .noRedirect(let status):
      "'to' is the target of a redirect, but status \(status) is not a redirect"
    case .runsBackwards(let range): "'\(range)' ends before it begins"
    case .tooMany(let what, let limit): "there are more than \(limit) \(what)"
    case .unknownOperator(let name): "there is no operator '\(name)'"
    case .unknownPlaceholder(let text): "'\(text)' is not a placeholder"
    case .nothingComesIn(let text): "'\(text)' has no value here"
    case .malformedMarble(let reason): "not a marble diagram: \(reason)"
    case .repeatedLetter(let letter): "the letter '\(letter)' is given twice"
    case .notDrawn(let sign): "there is no '\(sign)' in the diagram"
    case .cannotDraw(let reason): "cannot draw this as marbles: \(reason)"
    case .noValues(let name, let word): "'\(name)' is \(word.withArticle), and has no values"
    case .pipeCycle(let names): "'\(names.joined(separator: "' needs '"))'"
    case .unsuitableStage(let stage, let takes, let gets):
      "'\(stage)' takes \(takes), but gets \(gets)"
    case .incomparable(let type, let other):
      "a value of type \(type) cannot be compared with one of type \(other)"
    case .publishersAtEnd: "a pipe must end with values, but this one sends publishers"
    case .hasEnded(let name): "'\(name)' has ended"
    case .unknownMember(let name): "no member is called '\(name)'"
    case .memberExists(let name, let what): "'\(name)' is already the name of \(what.withArticle)"
    case .shapeExists(let name): "there is already a shape '\(name)'"
    case .reservedWord(let word, let verb): "'\(word)' is a word of '\(verb)'"
    case .movedByItsCode(let name, let word):
      "'\(name)' is a \(word), which only its own code can change"
    case .wrongMember(let name, let what, let needed):
      "'\(name)' is \(what.withArticle), not \(needed.withArticle)"
    case .unknownPolicy(let name): "there is no policy '\(name)'"
    case .unknownKind(let kind, let process): "'\(process)' has no kind '\(kind)'"
    case .missingKind(let process): "'\(process)' has several kinds, and none is named"
    case .nothingInFlight(let name): "'\(name)' has no attempt in flight"
    case .nothingToRetry(let name): "'\(name)' was never started"
    case .noSuchField(let field, let value): "there is no field '\(field)' in \(value)"
    case .noButton(let button, let name, let state):
      "'\(name)' has no '\(button)' to press: it is \(state)"
    case .notServing: "the routes are not served on a socket"
    case .noNetwork: "there is no network in this session"
    case .hostNotAllowed(let host): "requests to \(host) are not allowed"
    case .cannotServe(let reason): "cannot serve: \(reason)"
    case .notForFiles(let verb): "'\(verb)' cannot be used in a file"
    case .unknownRoute(let number): "there is no route \(number)"
    case .unknownEndpoint(let name):
      Int(name) == nil ? "no endpoint is called '\(name)'" : "there is no endpoint \(name)"
    case .endpointExists(let name): "there is already an endpoint called '\(name)'"
    case .noSource(let name): "'\(name)' has no default request"
    case .takesNoAnswer(let name): "'\(name)' is a custom source, and takes no answer"
    case .unknownScene(let name): "there is no scene '\(name)'"
    case .sceneFailed(let name, let reason): "the scene '\(name)' cannot be set up: \(reason)"
    case .undecodable(let type, let reason): "this is not of type \(type): \(reason)"
    case .actionFailed(let action, let reason): "'\(action)' failed: \(reason)"
    case .inThePast(let instant, let now): "\(instant) is in the past: it is \(now) now"
    case .cannotTravel(let reason): reason
    case .neverSettles(let report), .misfit(let report): report
    case .cannotRead(let path, let reason): "cannot read '\(path)': \(reason)"
    case .cannotWrite(let path, let reason): "cannot write '\(path)': \(reason)"
    case .sourcesItself(let path): "'\(path)' sources itself"
    case .endedBefore(let commands): "the session ended, and \(commands)"
    case .expectationFailed(let sentence, _, _, _): sentence
    case .unknownAssertion(let number): "there is no run assertion \(number)"
    case .unknownTopic(let topic): "there is no help on '\(topic)'"
    case .noExample(let topic, 0): "there is no example of '\(topic)'"
    case .noExample(let topic, let count):
      "there \(count == 1 ? "is 1 example" : "are \(count) examples") of '\(topic)'"
    }
  }
}

extension Problem {
  /// Whether more lines could complete the command.
  package var isUnfinished: Bool {
    switch self {
    case .unfinished, .unfinishedPipe: true
    default: false
    }
  }

  /// The hint if no better one is known.
  package var usualHint: String? {
    switch self {
    case .cannotRead:
      "a path is relative to the script or transcript that has it, or else to the current folder"
    case .cannotWrite: "choose another place"
    case .wrongType(let path, let expected, found: "null") where path.isEmpty:
      "only a member of the type '\(expected)?' can be null"
    case .wrongType(_, expected: "String", found: "an Int"),
      .wrongType(_, expected: "String", found: "a Double"),
      .wrongType(_, expected: "String", found: "a Bool"):
      "a String is in quotes, as in \"5\""
    case .wrongType: "'show' prints the type of a member; JSON takes any value"
    case .conflictingClauses, .repeatedClause: "leave one of them out"
    case .repeatedField: "give each name once"
    case .malformedValue: "'help values' shows how values are written"
    case .nestedTooDeep: "write it in several steps"
    case .testsNestedTooDeep: "a transcript must not replay itself with 'test'"
    case .sourcesItself: "a script must not source a script that sources it"
    case .sceneFailed: "nothing of it was added"
    case .actionFailed: "its own code threw this error"
    case .noSuchField: "'show' prints the whole value"
    default: nil
    }
  }
}

/// A value of a script with its range in the command, in bytes.
package struct Located<Value: Sendable>: Sendable {
  package let value: Value
  package let span: Range<Int>

  @inlinable package init(_ value: Value, at span: Range<Int>) {
    self.value = value
    self.span = span
  }
}

extension Located: Equatable where Value: Equatable {}
