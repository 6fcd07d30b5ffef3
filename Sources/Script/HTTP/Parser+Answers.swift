import MockHTTP
import RehearsalBase

/// Reads one answer of a route: status or fault, body, header fields, how it ends, its delay and pace.
extension Parser {
  /// Reads `STATUS` and the parts of the answer, in any order, or `FAULT`.
  mutating func answerDraft() throws(Diagnostic) -> AnswerDraft {
    var draft = AnswerDraft()
    if let fault = acceptFault() {
      draft.fault = fault
      while try readDelay(of: &draft) {}
      return draft
    }
    draft.status = try status()
    draft.response.status = draft.status?.value ?? 0
    while try readPart(of: &draft) {}
    if isNext(byte: UInt8(ascii: "\"")) {
      throw Diagnostic(
        .unexpected("\""),
        at: nextSpan,
        .general("name its type: json, text or html")
      )
    }
    return draft
  }

  private mutating func acceptFault() -> Fault? {
    Fault.allCases.first { accept($0.rawValue) != nil }
  }

  private mutating func status() throws(Diagnostic) -> Located<Int> {
    guard let range = wordRange(), bytes[range.lowerBound].isDigit else {
      expect(.sample("a status", example: "200"))
      let faults = Fault.allCases.map(\.rawValue)
      let typed = wordRange().map { text($0) } ?? ""
      throw expected(
        "a status or a fault",
        Hint.nearest(to: typed, in: faults)
          ?? .general(
            "a status is a number like 200; the faults are " + faults.joined(separator: ", ")
          )
      )
    }
    do throws(Diagnostic) {
      return try integer("a status", in: 200...599, example: "200")
    } catch {
      throw Diagnostic(error.problem, at: error.span, hint: "as in 200, 404 or 503")
    }
  }

  private mutating func readPart(of draft: inout AnswerDraft) throws(Diagnostic) -> Bool {
    if try readBody(of: &draft) { return true }
    if try readHead(of: &draft) { return true }
    if try readEnding(of: &draft) { return true }
    return try readTiming(of: &draft)
  }

  /// Reads a word that may be given once. Throws an error for a second one, or one that excludes
  /// it.
  private mutating func accept(
    _ word: String,
    as part: AnswerDraft.Part,
    of draft: inout AnswerDraft
  ) throws(Diagnostic) -> Bool {
    if let earlier = draft.parts[part] {
      guard isNext(word) else { return false }
      let problem: Problem =
        earlier.value == word ? .repeatedClause(word) : .conflictingClauses(earlier.value, word)
      throw Diagnostic(problem, at: nextSpan)
    }
    guard let span = accept(word) else { return false }
    draft.parts[part] = Located(word, at: span)
    return true
  }

  // MARK: Body

  private mutating func readBody(of draft: inout AnswerDraft) throws(Diagnostic) -> Bool {
    if try accept("gzip", as: .compression, of: &draft) {
      draft.response.body.isCompressed = true
      return true
    }
    if try accept("json", as: .body, of: &draft) || isNextBareJSON(draft) {
      draft.parts[.body] = draft.parts[.body] ?? Located("json", at: nextSpan)
      draft.response.body.content = .json(try value().value.text)
      return true
    }
    if try accept("text", as: .body, of: &draft) {
      draft.response.body.content = .text(try bodyText())
      return true
    }
    if try accept("html", as: .body, of: &draft) {
      draft.response.body.content = .text(try bodyText())
      if draft.parts[.type] == nil { draft.response.body.type = ScriptedBody.htmlType }
      return true
    }
    return try readBytes(of: &draft)
  }

  private func isNextBareJSON(_ draft: AnswerDraft) -> Bool {
    draft.parts[.body] == nil
      && (isNext(byte: UInt8(ascii: "{")) || isNext(byte: UInt8(ascii: "[")))
  }

  private mutating func bodyText() throws(Diagnostic) -> String {
    try quoted("the body", example: "\"Hello\"").value
  }

  private mutating func readBytes(of draft: inout AnswerDraft) throws(Diagnostic) -> Bool {
    if try accept("file", as: .body, of: &draft) {
      expect(.file)
      let file = try bareOrQuoted("a file's name", example: "feed.json")
      draft.file = file
      draft.response.body.content = .file(name: file.value, bytes: [])
      return true
    }
    if try accept("bytes", as: .body, of: &draft) {
      let count = try byteCount("the size of the body", in: 0...ScriptedBody.largestFiller)
      draft.response.body.content = .filler(bytes: count.value)
      return true
    }
    if try accept("base64", as: .body, of: &draft) {
      let text = try quoted("the body in base64", example: "\"iVBORw0KGgo=\"")
      guard let bytes = Base64.bytes(Array(text.value.utf8)) else {
        throw Diagnostic(
          .malformedBase64,
          at: text.span,
          hint: "it has A-Z, a-z, 0-9, '+' and '/' in groups of four, padded with '='"
        )
      }
      draft.response.body.content = .bytes(bytes)
      return true
    }
    return false
  }

  // MARK: Head

  private mutating func readHead(of draft: inout AnswerDraft) throws(Diagnostic) -> Bool {
    if try accept("type", as: .type, of: &draft) {
      let type = try bareOrQuoted("a media type", example: "\"text/plain\"")
      draft.response.body.type = try headerValue(type)
      return true
    }
    if try accept("chunked", as: .chunks, of: &draft) {
      draft.response.isChunked = true
      return true
    }
    if try accept("to", as: .location, of: &draft) {
      let place = try bareOrQuoted("the target of the redirect", example: "/home")
      draft.response.headers.append(.init(name: "Location", value: try headerValue(place)))
      return true
    }
    guard accept("with") != nil else { return false }
    draft.response.headers.append(try headerField())
    return true
  }

  // MARK: Ending

  private mutating func readEnding(of draft: inout AnswerDraft) throws(Diagnostic) -> Bool {
    if try accept("cut", as: .ending, of: &draft) {
      draft.response.ending = .closed(afterBytes: try placeInBody("cut"))
    } else if try accept("reset", as: .ending, of: &draft) {
      draft.response.ending = .reset(afterBytes: try placeInBody("reset"))
    } else if try accept("silent", as: .ending, of: &draft) {
      draft.response.ending = .silent(afterBytes: try placeInBody("silent"))
    } else if try accept("claiming", as: .ending, of: &draft) {
      draft.response.ending = .claiming(bytes: try byteCount("the claimed size").value)
    } else {
      return false
    }
    // `100 bytes` and `100` are equal: the unit is a part of the word.
    return true
  }

  private mutating func placeInBody(_ word: String) throws(Diagnostic) -> Int {
    guard accept("after") != nil else {
      throw expected("'after'", hint: "name the place: '\(word) after 100 bytes'")
    }
    return try byteCount("a number of bytes", example: "100 bytes").value
  }

  // MARK: Timing

  mutating func readTiming(of draft: inout AnswerDraft) throws(Diagnostic) -> Bool {
    if try readDelay(of: &draft) { return true }
    guard draft.fault == nil else { return false }
    if try accept("at", as: .pace, of: &draft) {
      guard accept("once") != nil else { throw expected("'once'") }
      draft.pace = .atOnce
      return true
    }
    guard try accept("dripping", as: .pace, of: &draft) else { return false }
    draft.pace = try drip()
    return true
  }

  private mutating func readDelay(of draft: inout AnswerDraft) throws(Diagnostic) -> Bool {
    guard try accept("after", as: .delay, of: &draft) else { return false }
    draft.delay = try delay()
    return true
  }

  private mutating func drip() throws(Diagnostic) -> ScriptedAnswer.Pace {
    let pieces = try integer("a number of chunks", in: 1...100_000, example: "20")
    guard accept("chunks") != nil || accept("chunk") != nil else { throw expected("'chunks'") }
    guard accept("over") != nil else {
      throw expected("'over'", hint: "name the duration: 'over 2s'")
    }
    return .drip(pieces: pieces.value, over: try duration().value)
  }
}

extension ScriptedBody {
  static let htmlType = "text/html; charset=utf-8"

  /// The largest generated body: 256 MB.
  package static let largestFiller = 256_000_000
}
