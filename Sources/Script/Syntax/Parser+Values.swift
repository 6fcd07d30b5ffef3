package import RehearsalBase

/// Reads names, numbers, durations, quoted texts, file names, types and JSON; decides about units, ranges and signs.
extension Parser {
  // MARK: Names

  /// Reads a new name: a letter or `_`, then letters, digits, `_`, `-`. Parts joined by dots name a
  /// property of an instance, such as `left.profile`.
  package mutating func newName(_ what: String) throws(Diagnostic) -> Located<String> {
    expect(.sample(what, example: "profile"))
    guard let range = wordRange() else {
      throw expected(what, hint: "a name begins with a letter, as in 'profile'")
    }
    let name = text(range)
    let isName = name.unicodeScalars.allSatisfy {
      // A word has no ASCII characters except letters, digits, '_', '-' and '.'.
      $0.isASCII || $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
    guard isName, !bytes[range.lowerBound].isDigit, !hasEmptyPart(range) else {
      throw expected(what, hint: "a name begins with a letter, as in 'profile'")
    }
    take(to: range.upperBound)
    return Located(name, at: range)
  }

  /// Whether one of the parts between dots is empty.
  private func hasEmptyPart(_ range: Range<Int>) -> Bool {
    var isAtDot = true
    for place in range {
      let wasAtDot = isAtDot
      isAtDot = bytes[place] == UInt8(ascii: ".")
      if isAtDot, wasAtDot { return true }
    }
    return isAtDot
  }

  // MARK: Numbers and durations

  /// Reads a whole number.
  ///
  /// - Parameters:
  ///   - what: a description for messages.
  ///   - allowed: the allowed numbers.
  ///   - example: a valid number.
  ///   - end: a byte that ends the number after the first byte, even if it could be part of one.
  /// - Returns: the number with its range.
  /// - Throws: a diagnostic if there is no allowed number.
  package mutating func integer(
    _ what: String,
    in allowed: ClosedRange<Int>,
    example: String = "3",
    before end: UInt8? = nil
  ) throws(Diagnostic) -> Located<Int> {
    expect(.sample(what, example: example))
    let range = numberRange(before: end)
    guard let range, let number = Int(text(range)) else {
      if let range, text(range).utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "-") }) {
        throw outOfRange(range, allowed)
      }
      throw expected(what)
    }
    guard allowed.contains(number) else { throw outOfRange(range, allowed) }
    mark(.number, range)
    take(to: range.upperBound)
    return Located(number, at: range)
  }

  func outOfRange(_ range: Range<Int>, _ allowed: ClosedRange<Int>) -> Diagnostic {
    let words =
      allowed.upperBound == .max
      ? "a whole number of at least \(allowed.lowerBound)"
      : "a whole number from \(allowed.lowerBound) to \(allowed.upperBound)"
    return Diagnostic(.numberOutOfRange(text(range), allowed: words), at: range)
  }

  /// Returns the range of word bytes that begin with a digit, a sign or a point.
  func numberRange(before limit: UInt8? = nil) -> Range<Int>? {
    var end = position
    while end < bytes.count, bytes[end].isWordByte || bytes[end] == UInt8(ascii: "+"),
      end == position || bytes[end] != limit
    {
      end += 1
    }
    return end > position ? position..<end : nil
  }

  /// Reads a duration: digits, optionally a point and at most nine more, and a unit. Integers keep
  /// it exact.
  package mutating func duration() throws(Diagnostic) -> Located<Duration> {
    expect(.sample("a duration", example: "250ms"))
    guard let range = numberRange(), bytes[range].contains(where: \.isDigit),
      bytes[range.lowerBound].isDigit || "+-.".utf8.contains(bytes[range.lowerBound])
    else {
      throw expected("a duration", .general("write a number with a unit, as in '250ms' or '2s'"))
    }
    if bytes[range.lowerBound] == UInt8(ascii: "-") {
      throw Diagnostic(.negative(text(range)), at: range, hint: "a duration must not be negative")
    }
    let digitsEnd =
      bytes[range].firstIndex { !$0.isDigit && $0 != UInt8(ascii: ".") } ?? range.upperBound
    let unit = bytes[digitsEnd..<range.upperBound]
    let known = Self.units.first { $0.name.utf8.elementsEqual(unit) }
    guard let unitInNanoseconds = known?.nanoseconds else {
      let problem =
        unit.isEmpty
        ? Problem.missingUnit(text(range)) : .unknownUnit(text(digitsEnd..<range.upperBound))
      let span = unit.isEmpty ? range : digitsEnd..<range.upperBound
      let meant = Self.rangeOfDurations(in: text(range)).map { Hint.suggestion("'\($0)'") }
      throw Diagnostic(problem, at: span, meant ?? .general("the units are ns, us, ms, s, m and h"))
    }
    let number = bytes[range.lowerBound..<digitsEnd]
    guard let nanoseconds = Self.scaled(number, by: unitInNanoseconds) else {
      let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      if parts.count > 2 || parts.contains(where: \.isEmpty) {
        throw expected("a duration", hint: "write a number with a unit, as in '1.5s'")
      }
      if let whole = parts.first, Self.scaled(whole, by: unitInNanoseconds) != nil {
        throw Diagnostic(.durationTooFine(text(range)), at: range, hint: "the finest unit is 1ns")
      }
      throw Diagnostic(
        .durationTooLong(text(range)),
        at: range,
        hint: "one duration is at most 100 years"
      )
    }
    mark(.duration, range)
    take(to: range.upperBound)
    return Located(.nanoseconds(nanoseconds), at: range)
  }

  /// Returns the spelling of a range for that of other languages, `100ms...500ms` or `100ms-500ms`;
  /// nil for other words.
  private static func rangeOfDurations(in word: String) -> String? {
    for separator in ["...", "..<", "..", "-"] {
      let parts = word.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let first = parts[0].utf8.first, first.isDigit,
        let second = parts[1].utf8.first, second.isDigit
      else { continue }
      let unit = parts[1].drop { $0.isNumber || $0 == "." }
      let hasUnit = parts[0].last.map { !$0.isNumber } ?? false
      return "\(parts[0])\(hasUnit ? "" : unit) to \(parts[1])"
    }
    return nil
  }

  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("ms", 1_000_000), ("s", 1_000_000_000), ("us", 1_000), ("µs", 1_000), ("ns", 1),
    ("m", 60_000_000_000), ("min", 60_000_000_000), ("h", 3_600_000_000_000),
  ]

  /// The longest duration: 100 years of 365 days.
  private static let longest: Int64 = 100 * 365 * 86_400 * 1_000_000_000

  /// Returns a decimal number of units exactly; nil if it is not a number, not whole, or more than
  /// the nanoseconds of the longest duration.
  static func scaled(_ number: ArraySlice<UInt8>, by unit: Int64) -> Int64? {
    let point = number.firstIndex(of: UInt8(ascii: ".")) ?? number.endIndex
    let decimals = number[point...].dropFirst()
    guard point > number.startIndex, point == number.endIndex || !decimals.isEmpty,
      number[..<point].allSatisfy(\.isDigit), decimals.allSatisfy(\.isDigit)
    else { return nil }
    var total: Int64 = 0
    for digit in number[..<point] {
      let (tenfold, overflow) = total.multipliedReportingOverflow(by: 10)
      guard !overflow, tenfold <= longest else { return nil }
      total = tenfold + Int64(digit - UInt8(ascii: "0"))
    }
    let (whole, overflow) = total.multipliedReportingOverflow(by: unit)
    guard !overflow, whole <= longest else { return nil }
    total = whole
    var scale = unit
    for digit in decimals {
      let value = Int64(digit - UInt8(ascii: "0"))
      guard value == 0 || scale > 0 && (scale * value) % 10 == 0 else { return nil }
      total += scale * value / 10
      scale /= 10
    }
    return total
  }

  // MARK: Text

  /// Reads a quoted text or one bare word.
  package mutating func text(_ what: String, example: String) throws(Diagnostic) -> Located<String>
  {
    expect(.sample(what, example: example))
    guard isNext(byte: UInt8(ascii: "\"")) else { return try pathOrWord(what) }
    let start = position
    guard case .string(let string) = try value().value else { throw expected(what) }
    return Located(string, at: start..<endOfTaken)
  }

  /// Reads everything up to the next blank, such as a file's name or an address. A `?` alone is a
  /// question.
  private mutating func pathOrWord(_ what: String) throws(Diagnostic) -> Located<String> {
    var end = position
    while end < bytes.count, bytes[end] > 0x20 { end += 1 }
    guard end > position else { throw expected(what) }
    guard !isQuestion(end) else { throw expected(what, hint: "write '?' in quotes for a text") }
    let range = position..<end
    take(to: end)
    return Located(text(range), at: range)
  }

  /// Whether the word up to this byte is a `?` alone, which asks for an explanation.
  func isQuestion(_ end: Int) -> Bool {
    end == position + 1 && isNext(byte: UInt8(ascii: "?"))
  }

  /// Reads the path of a part of a value: fields, elements by their number from 0, and `length`, with dots between them.
  package mutating func fieldPath() throws(Diagnostic) -> Located<String> {
    let word = try word("a field")
    guard Self.path(word.value).contains(where: \.isEmpty) else { return word }
    throw Diagnostic(
      .expected("a field", found: word.value.printable(atMost: 30)),
      at: word.span,
      hint: "put names between the dots, as in 'author.name'"
    )
  }

  package static func path(_ word: String) -> [String] {
    word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// Reads a file's name, quoted or bare.
  package mutating func file() throws(Diagnostic) -> Located<String> {
    expect(.file)
    // For other programs '-' is standard input or output. A session uses neither.
    if isNext(byte: UInt8(ascii: "-")), position + 1 == bytes.count || bytes[position + 1] <= 0x20 {
      throw expected("a file's name", hint: "write './-' for a file of that name")
    }
    if position < bytes.count, "<>|".utf8.contains(bytes[position]) {
      throw expected("a file's name", .general("a file's name follows, without '>' or '|'"))
    }
    return try text("a file's name", example: "first.transcript")
  }

  // MARK: Types

  package mutating func type() throws(Diagnostic) -> TypeExpression { try nestedType().type }

  /// Reads a type and its nesting in brackets and question marks.
  private mutating func nestedType() throws(Diagnostic) -> (type: TypeExpression, levels: Int) {
    expect(.type)
    var type: TypeExpression
    var levels = 0
    if accept(byte: UInt8(ascii: "[")) {
      depth += 1
      defer { depth -= 1 }
      guard depth <= TypeExpression.deepest else { throw typeTooDeep(at: nextSpan) }
      let element = try nestedType()
      type = .array(element.type)
      levels = element.levels + 1
      guard accept(byte: UInt8(ascii: "]")) else { throw expected("']'") }
    } else {
      let name = try word("a type")
      mark(.type, name.span)
      type = name.value == "Date" ? try date(from: name.span) : .named(name.value, span: name.span)
    }
    while accept(byte: UInt8(ascii: "?")) {
      levels += 1
      guard levels <= TypeExpression.deepest else {
        throw typeTooDeep(at: endOfTaken - 1..<endOfTaken)
      }
      type = .optional(type)
    }
    return (type, levels)
  }

  /// Reads a date format: `iso8601`, the default, `seconds` or `milliseconds` since 1970, or a
  /// pattern in quotes.
  private mutating func date(from name: Range<Int>) throws(Diagnostic) -> TypeExpression {
    var format = ValueType.DateFormat.iso8601
    expect(.sample("a date format", example: "\"yyyy-MM-dd\""))
    if accept("seconds") != nil {
      format = .seconds
    } else if accept("milliseconds") != nil {
      format = .milliseconds
    } else if accept("iso8601") == nil, isNext(byte: UInt8(ascii: "\"")) {
      format = .pattern(try text("a date format", example: "\"yyyy-MM-dd\"").value)
    }
    return .date(format, span: name.lowerBound..<endOfTaken)
  }

  private func typeTooDeep(at span: Range<Int>) -> Diagnostic {
    Diagnostic(
      .nestedTooDeep(limit: TypeExpression.deepest),
      at: span,
      hint: "a loadable without a type takes any value"
    )
  }

  // MARK: JSON

  package mutating func value() throws(Diagnostic) -> Located<JSONValue> {
    expect(.sample("a JSON value", example: "\"text\""))
    var cursor = JSONCursor(bytes, at: position, textsMaySpanLines: true)
    let start = position
    let value: JSONValue
    do throws(JSONProblem) {
      value = try cursor.value()
    } catch {
      if case .unfinished = error.reason { openValue = start }
      throw Diagnostic(error)
    }
    mark(.value, start..<cursor.position)
    take(to: cursor.position)
    return Located(value, at: start..<cursor.position)
  }
}
