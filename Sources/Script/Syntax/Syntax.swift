/// The syntax after a verb, for the parser, help, completion and the reference.
package indirect enum Syntax: Sendable {
  /// A keyword.
  case keyword(String)
  /// A value that the author chooses.
  case slot(any AnySlot)
  case sequence([Syntax])
  case optional(Syntax)
  /// The first alternative that can begin here. An alternative that begins with a slot must be
  /// last.
  case oneOf([Syntax])
  /// One or more, separated by commas.
  case list(Syntax)
  /// Any number, separated by blanks.
  case many(Syntax)
  /// Each at most once, in any order. Each begins with a keyword.
  case clauses([Syntax])
}

/// A place in a command for a value of one type. The code of the command reads the value by its
/// slot.
package struct Slot<Value: Sendable>: AnySlot {
  package let name: String
  package let placeholder: String
  let canBegin: @Sendable (Parser) -> Bool
  let read: @Sendable (inout Parser) throws(Diagnostic) -> Value
  package let expectations: [Acceptable]
  package let samples: [String]

  /// Creates a slot with a name, unique in its command, and the text for help.
  package init(
    _ name: String,
    _ placeholder: String,
    expecting expectations: [Acceptable] = [],
    samples: [String] = [],
    canBegin: @escaping @Sendable (Parser) -> Bool = { !$0.isAtEnd },
    read: @escaping @Sendable (inout Parser) throws(Diagnostic) -> Value
  ) {
    self.name = name
    self.placeholder = placeholder
    self.expectations = expectations
    self.samples = samples
    self.canBegin = canBegin
    self.read = read
  }

  package func canBegin(in parser: Parser) -> Bool { canBegin(parser) }

  package func read(
    from parser: inout Parser,
    into arguments: inout Arguments
  ) throws(Diagnostic) {
    if parser.isWatched {
      for expectation in expectations { parser.expect(expectation) }
    }
    let start = parser.position
    let value = try read(&parser)
    if parser.marks != nil, let role = expectations.lazy.compactMap(\.role).first {
      parser.mark(role, start..<parser.endOfTaken)
    }
    arguments.add(value, for: name)
  }
}

package protocol AnySlot: Sendable {
  var name: String { get }
  var placeholder: String { get }
  var expectations: [Acceptable] { get }
  /// Values for generated commands, the simplest first; empty if none are known.
  var samples: [String] { get }
  func canBegin(in parser: Parser) -> Bool
  func read(from parser: inout Parser, into arguments: inout Arguments) throws(Diagnostic)
}

/// The clauses of a command that were read, as a set of indices.
struct ClauseSet {
  /// The number of possible indices.
  static let size = UInt64.bitWidth
  private var bits: UInt64 = 0

  func contains(_ index: Int) -> Bool { bits & (1 << UInt64(index)) != 0 }

  /// - Returns: false if the set already had it.
  mutating func insert(_ index: Int) -> Bool {
    defer { bits |= 1 << UInt64(index) }
    return !contains(index)
  }
}

/// The arguments of a command.
package struct Arguments: Sendable {
  /// An array of pairs: a look-up compares few names and reads one value.
  @usableFromInline var names: [String] = []
  @usableFromInline var values: [any Sendable] = []
  var keywords: [Located<String>] = []

  package var isEmpty: Bool { names.isEmpty && keywords.isEmpty }

  mutating func add(_ value: any Sendable, for name: String) {
    if names.isEmpty {
      // Most commands have two or three arguments. Reserved space avoids moving them.
      names.reserveCapacity(4)
      values.reserveCapacity(4)
    }
    names.append(name)
    values.append(value)
  }

  @inlinable package subscript<Value>(slot: Slot<Value>) -> Value? {
    for index in names.indices where names[index] == slot.name {
      return Self.cast(values[index], to: Value.self)
    }
    return nil
  }

  @inlinable package func all<Value>(_ slot: Slot<Value>) -> [Value] {
    var found: [Value] = []
    for index in names.indices where names[index] == slot.name {
      if let value = Self.cast(values[index], to: Value.self) { found.append(value) }
    }
    return found
  }

  /// Casts like `as?`. The value usually has exactly that type, so the slow check of conformances
  /// is not needed.
  @inlinable static func cast<Known, Value>(_ value: Known, to type: Value.Type) -> Value? {
    Known.self == Value.self ? unsafeBitCast(value, to: Value.self) : value as? Value
  }

  /// The commands among the arguments, to perform later.
  package var commands: [ParsedCommand] { values.compactMap { $0 as? ParsedCommand } }

  /// Whether a keyword was given.
  package func has(_ keyword: String) -> Bool { span(of: keyword) != nil }

  package func span(of keyword: String) -> Range<Int>? {
    keywords.first { $0.value == keyword }?.span
  }
}

// MARK: Reading

extension Parser {
  mutating func read(_ syntax: Syntax, into arguments: inout Arguments) throws(Diagnostic) {
    switch syntax {
    case .keyword(let word):
      guard let span = accept(word) else { throw expected("'\(word)'") }
      arguments.keywords.append(Located(word, at: span))
    case .slot(let slot):
      try readSlot(slot, into: &arguments)
    case .sequence(let parts):
      try read(parts: parts, into: &arguments)
    case .optional(let part):
      if canBegin(part) { try read(part, into: &arguments) }
    case .oneOf(let parts):
      try readFirst(of: parts, into: &arguments)
    case .list(let part):
      repeat { try read(part, into: &arguments) } while accept(byte: UInt8(ascii: ","))
    case .many(let part):
      while canBegin(part) { try read(part, into: &arguments) }
      noteRest([syntax])
    case .clauses(let clauses):
      try readClauses(clauses, into: &arguments)
    }
  }

  private mutating func readFirst(
    of parts: [Syntax],
    into arguments: inout Arguments
  ) throws(Diagnostic) {
    for part in parts where canBegin(part) { return try read(part, into: &arguments) }
    throw expected(parts.map(\.inWords).joined(separator: " or "))
  }

  private mutating func readClauses(
    _ clauses: [Syntax],
    into arguments: inout Arguments
  ) throws(Diagnostic) {
    var taken = ClauseSet()
    // At the end of the text nothing begins; expectations are collected only if requested.
    while !isAtEnd || isWatched,
      let index = clauses.indices.first(where: {
        canBegin(clauses[$0], unless: taken.contains($0))
      })
    {
      let start = nextSpan
      guard taken.insert(index) else {
        throw Diagnostic(.repeatedClause(text(start)), at: start)
      }
      do throws(Diagnostic) {
        try read(clauses[index], into: &arguments)
      } catch {
        noteRest(Self.untaken(clauses, taken))
        throw error
      }
    }
    noteRest(Self.untaken(clauses, taken))
  }

  private mutating func canBegin(_ clause: Syntax, unless isTaken: Bool) -> Bool {
    isTaken ? isNext(clause.firstKeyword ?? "") : canBegin(clause)
  }

  /// Whether the next word can begin this part. Notes the possible beginnings as expected.
  mutating func canBegin(_ syntax: Syntax) -> Bool {
    switch syntax {
    case .keyword(let word):
      expect(.keyword(word))
      return isNext(word)
    case .slot(let slot):
      if isWatched {
        for expectation in slot.expectations { expect(expectation) }
        expectBeginning(of: slot)
      }
      if isAtEnd { return false }
      if let word = wordRange(), !clauseWords.isEmpty, clauseWords.contains(text(word)) {
        return false
      }
      return slot.canBegin(in: self)
    case .sequence(let parts): return parts.first.map { canBegin($0) } ?? false
    case .optional(let part), .list(let part), .many(let part): return canBegin(part)
    case .oneOf(let parts), .clauses(let parts):
      return parts.reduce(false) { found, part in canBegin(part) || found }
    }
  }
}

// MARK: Describing

extension Syntax {
  /// The first keyword, if the part begins with one.
  package var firstKeyword: String? {
    switch self {
    case .keyword(let word): word
    case .sequence(let parts): parts.first?.firstKeyword
    case .optional(let part), .list(let part), .many(let part): part.firstKeyword
    case .slot, .oneOf, .clauses: nil
    }
  }

  /// The keywords that may begin the part.
  package var firstKeywords: [String] {
    switch self {
    case .oneOf(let parts), .clauses(let parts): parts.flatMap(\.firstKeywords)
    case .sequence(let parts): parts.first?.firstKeywords ?? []
    case .optional(let part), .list(let part), .many(let part): part.firstKeywords
    case .keyword(let word): [word]
    case .slot: []
    }
  }

  /// All keywords of the part, in their order.
  package var keywords: [String] {
    switch self {
    case .keyword(let word): [word]
    case .sequence(let parts), .oneOf(let parts), .clauses(let parts): parts.flatMap(\.keywords)
    case .optional(let part), .list(let part), .many(let part): part.keywords
    case .slot: []
    }
  }

  /// Whether one of its slots expects this.
  package func expects(_ expectation: Acceptable) -> Bool {
    switch self {
    case .slot(let slot): slot.expectations.contains(expectation)
    case .sequence(let parts), .oneOf(let parts), .clauses(let parts):
      parts.contains { $0.expects(expectation) }
    case .optional(let part), .list(let part), .many(let part): part.expects(expectation)
    case .keyword: false
    }
  }

  /// The syntax as in help: `NAME`, `[after D]`, `D, …`.
  package var synopsis: String {
    switch self {
    case .keyword(let word): word
    case .slot(let slot): slot.placeholder
    case .sequence(let parts): Self.synopsis(of: parts).joined(separator: " ")
    case .optional(let part): "[" + part.synopsis + "]"
    case .oneOf(let parts): parts.map(\.synopsis).joined(separator: " | ")
    case .list(let part): part.synopsis + ", …"
    case .many(let part): "[" + part.synopsis + " …]"
    case .clauses(let parts): parts.map { "[" + $0.synopsis + "]" }.joined(separator: " ")
    }
  }

  /// Returns the syntax of parts that follow each other. Alternatives are in parentheses if another part follows or precedes.
  static func synopsis(of parts: [Syntax]) -> [String] {
    let texts = parts.map(\.synopsis)
    return texts.count == 1 ? texts : texts.map { hasAlternatives($0) ? "(\($0))" : $0 }
  }

  /// Whether a synopsis has ` | ` outside of brackets.
  private static func hasAlternatives(_ synopsis: String) -> Bool {
    var depth = 0
    for sign in synopsis {
      if "[(".contains(sign) { depth += 1 }
      if "])".contains(sign) { depth -= 1 }
      if sign == "|", depth == 0 { return true }
    }
    return false
  }

  /// The name of the part in diagnostics.
  var inWords: String {
    switch self {
    case .keyword(let word): "'\(word)'"
    case .slot(let slot): slot.placeholder
    case .sequence(let parts): parts.first?.inWords ?? ""
    case .optional(let part), .list(let part), .many(let part): part.inWords
    case .oneOf(let parts), .clauses(let parts): parts.map(\.inWords).joined(separator: " or ")
    }
  }
}
