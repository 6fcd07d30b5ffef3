/// The texts of errors, hints and notes in a Swift source.
///
/// It reads string literals: those that begin with `error: ` or another label of a line, those that
/// are passed as a hint, a sentence, a note or a reason, and those in declarations with such names.
struct SourceMessages {
  /// The texts without the labels of lines, in the order of the source.
  private(set) var texts: [String] = []

  private let bytes: [UInt8]
  /// The literals by their first bytes. A literal inside an interpolation is a part of the outer
  /// one.
  private var literals: [Int: Range<Int>] = [:]
  /// The source without comments, and with one quotation mark and spaces for each literal.
  private var code: [UInt8]

  init(of source: String) {
    bytes = Array(source.utf8)
    code = bytes
    readLiterals()
    let text = String(decoding: code, as: UTF8.self)
    var found = Set(literals.filter { Self.label(of: self.text(of: $0.value)) != nil }.keys)
    for match in text.matches(of: Self.argument) {
      found.formUnion(literals(inExpressionAt: text.offset(of: match.range.upperBound)))
    }
    for match in text.matches(of: Self.declaration) {
      found.formUnion(literals(inDeclarationAt: text.offset(of: match.range.upperBound)))
    }
    texts = found.sorted().compactMap { literals[$0] }.map { literal in
      let text = self.text(of: literal)
      return String(text.dropFirst(Self.label(of: text)?.count ?? 0))
    }
  }

  /// Returns the label at the beginning of a line, with its space.
  private static func label(of text: String) -> String? {
    ["error: ", "hint: ", "note: ", "warning: "].first(where: text.hasPrefix)
  }

  /// What precedes the argument of a call that prints or keeps it.
  private static var argument: Regex<Substring> {
    #/
    \b (?: hint | sentence | note | advice | reason | problem ) \s* :
    | \.advice\( | \bValidationError\( | \bcomplain\( | \bSubcommandFailure\(
    | \.expectationFailed\( | \bnote\( | \bnotes\.append\( | \.error\( | \.hint\(
    /#
  }

  /// The beginning of a declaration whose name tells that it is a text.
  private static var declaration: Regex<Substring> {
    #/
    \b (?: var | let | func ) \s+ \w*
    (?: [sS]entence | [hH]int | [nN]ote | [rR]eason | [mM]essage | [cC]omplaint | [aA]dvice
      | [wW]arning | [pP]roblem )
    \w*
    /#
  }

  // MARK: Literals

  private mutating func readLiterals() {
    var index = 0
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case UInt8(ascii: "/") where starts(with: "//", at: index):
        index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      case UInt8(ascii: "#"), UInt8(ascii: "\""):
        let quote = bytes[index...].firstIndex { $0 != UInt8(ascii: "#") } ?? bytes.count
        guard quote < bytes.count, bytes[quote] == UInt8(ascii: "\"") else {
          index = quote
          continue
        }
        index = endOfLiteral(at: quote, hashes: quote - start)
        literals[start] = start..<index
      default:
        index += 1
        continue
      }
      for blank in start..<index where bytes[blank] != UInt8(ascii: "\n") {
        code[blank] = UInt8(ascii: " ")
      }
      if literals[start] != nil { code[start] = UInt8(ascii: "\"") }
    }
  }

  private func starts(with text: String, at index: Int) -> Bool {
    bytes[index...].starts(with: text.utf8)
  }

  private func endOfLiteral(at quote: Int, hashes: Int) -> Int {
    let isLong = starts(with: "\"\"\"", at: quote)
    let tail = String(repeating: "#", count: hashes)
    let end = (isLong ? "\"\"\"" : "\"") + tail
    var index = quote + (isLong ? 3 : 1)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\"") where starts(with: end, at: index): return index + end.utf8.count
      case UInt8(ascii: "\\") where starts(with: "\\" + tail, at: index):
        index += 1 + hashes
        index = starts(with: "(", at: index) ? endOfInterpolation(at: index) : index + 1
      default: index += 1
      }
    }
    return index
  }

  private func endOfInterpolation(at start: Int) -> Int {
    var (index, depth) = (start, 0)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = endOfLiteral(at: index, hashes: 0)
        continue
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
      index += 1
      if depth == 0 { return index }
    }
    return index
  }

  /// Returns the content of a literal in one line.
  private func text(of literal: Range<Int>) -> String {
    let text = String(decoding: bytes[literal], as: UTF8.self).drop { $0 == "#" }
    let hashes = literal.count - text.utf8.count
    let quotes = text.hasPrefix("\"\"\"") ? 3 : 1
    return text.dropFirst(quotes).dropLast(quotes + hashes)
      .split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
  }

  // MARK: Code

  /// Returns the literals that may be the value of an expression, such as those of a conditional
  /// one.
  private func literals(inExpressionAt start: Int) -> [Int] {
    var found: [Int] = []
    var index = start
    while index < code.count {
      switch code[index] {
      case UInt8(ascii: "\""): found.append(index)
      case UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return found
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        let end = endOfBrackets(at: index)
        // Arguments of a call and elements of a list are other texts.
        let isGroup = code[index] == UInt8(ascii: "(") && !isCall(at: index)
        if isGroup || code[index] == UInt8(ascii: "{") { found += literals(in: index..<end) }
        index = end
      case UInt8(ascii: "\n"):
        let next = code[index...].first { !Self.isBlank($0) }
        let last = code[start..<index].last { !Self.isBlank($0) }
        let continues = { (byte: UInt8?) in byte.map { "?:+.=".utf8.contains($0) } ?? true }
        if !continues(next), !continues(last) { return found }
      default: break
      }
      index += 1
    }
    return found
  }

  /// Returns the literals of a declaration after its name: those of its body or of its value.
  private func literals(inDeclarationAt start: Int) -> [Int] {
    var index = start
    while index < code.count {
      switch code[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["): index = endOfBrackets(at: index)
      case UInt8(ascii: "{"): return literals(in: index..<endOfBrackets(at: index))
      case UInt8(ascii: "="): return literals(inExpressionAt: index + 1)
      // The type of a result may be in the next line.
      case UInt8(ascii: "\n"):
        if code[index...].first(where: { !Self.isBlank($0) }) != UInt8(ascii: "-") { return [] }
      default: break
      }
      index += 1
    }
    return []
  }

  private func literals(in range: Range<Int>) -> [Int] {
    range.filter { code[$0] == UInt8(ascii: "\"") }
  }

  /// Returns the index of the closing bracket.
  private func endOfBrackets(at start: Int) -> Int {
    var depth = 0
    for index in start..<code.count {
      if "([{".utf8.contains(code[index]) { depth += 1 }
      if ")]}".utf8.contains(code[index]) { depth -= 1 }
      if depth == 0 { return index }
    }
    return code.count - 1
  }

  /// Whether a bracket begins the arguments of a call.
  private func isCall(at bracket: Int) -> Bool {
    guard bracket > 0 else { return false }
    let byte = code[bracket - 1]
    return byte == UInt8(ascii: ">") || byte == UInt8(ascii: "_")
      || Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
  }
}

extension String {
  fileprivate func offset(of index: Index) -> Int { utf8.distance(from: startIndex, to: index) }
}
