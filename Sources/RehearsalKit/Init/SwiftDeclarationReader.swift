import RehearsalBase

/// Reads the types of a Swift source file, and their members.
///
/// It knows attributes, modifiers and brackets, and skips everything else, so it also reads code that it does not
/// understand. A declaration that it misreads is left out of the scene, or does not compile there.
struct SwiftDeclarationReader {
  private let tokens: SwiftTokens
  private var index = 0
  /// The number of open `#if`.
  private var conditions = 0
  private(set) var types: [SwiftType] = []
  /// Members that extensions add, as types without a kind.
  private(set) var extensions: [SwiftType] = []

  init(_ source: [UInt8], file: String) {
    tokens = SwiftTokens(source)
    while index < tokens.tokens.count { readDeclaration(into: nil, file: file) }
  }

  /// What precedes a declaration.
  private struct Prefix {
    var attributes: [String] = []
    var modifiers: [String] = []
    var access: SwiftAccess?
    var setAccess: SwiftAccess?
    var isStatic = false
  }

  private var word: String { index < tokens.tokens.count ? tokens.tokens[index].text : "" }

  private func word(_ offset: Int) -> String {
    index + offset < tokens.tokens.count ? tokens.tokens[index + offset].text : ""
  }

  private var isOnNewLine: Bool {
    guard index > 0, index < tokens.tokens.count else { return true }
    let before = tokens.tokens[index - 1]
    return tokens.tokens[index].line > before.line
  }

  /// Skips a bracket and its contents.
  private mutating func skipBracket() {
    index = (tokens.closing(index) ?? tokens.tokens.count - 1) + 1
  }

  /// Reads one declaration, or skips one token. Members go into `owner`.
  private mutating func readDeclaration(into owner: UnsafeMutablePointer<SwiftType>?, file: String)
  {
    let prefix = readPrefix()
    let line = index < tokens.tokens.count ? tokens.tokens[index].line : 0
    switch word {
    case "#if":
      conditions += 1
      index += 1
    case "#endif":
      conditions -= 1
      index += 1
    case "class", "struct", "enum", "actor", "protocol", "extension":
      readType(prefix, isNested: owner != nil, file: file, line: line)
    case "func": readFunction(prefix, into: owner)
    case "init" where owner != nil: readInitialiser(prefix, into: owner)
    case "var", "let": readProperty(prefix, into: owner)
    case "case": readCases(into: owner)
    case "{", "(", "[": skipBracket()
    case "": index = tokens.tokens.count
    default: index += 1
    }
  }

  private static let modifiers: Set<String> = [
    "final", "static", "class", "nonisolated", "isolated", "lazy", "weak", "unowned", "override",
    "convenience", "required", "mutating", "nonmutating", "dynamic", "indirect", "optional",
    "distributed", "async", "consuming", "borrowing", "sending",
  ]

  private mutating func readPrefix() -> Prefix {
    var prefix = Prefix()
    while index < tokens.tokens.count {
      if word == "@" {
        prefix.attributes.append(word(1))
        index += 2
        // Nested names, as in '@Observation.Observable'.
        while word == ".", !tokens.tokens[index].isApart {
          prefix.attributes[prefix.attributes.count - 1] = word(1)
          index += 2
        }
        if word == "(", !tokens.tokens[index].isApart { skipBracket() }
        continue
      }
      if let access = SwiftAccess(modifier: word) {
        index += 1
        if word == "(" {
          prefix.setAccess = access
          skipBracket()
        } else {
          prefix.access = access
        }
        continue
      }
      let isType = word == "class" && !["func", "var", "let", "subscript"].contains(word(1))
      guard Self.modifiers.contains(word), !isType else { break }
      if word == "static" || word == "class" { prefix.isStatic = true }
      prefix.modifiers.append(word)
      index += 1
      if word == "(", !tokens.tokens[index].isApart { skipBracket() }
    }
    return prefix
  }

  // MARK: Types

  private mutating func readType(_ prefix: Prefix, isNested: Bool, file: String, line: Int) {
    let kind = word
    index += 1
    var type = SwiftType(
      name: word.unquoted,
      kind: kind,
      access: prefix.access ?? .module,
      attributes: prefix.attributes,
      inherited: [],
      isGeneric: false,
      isConditional: conditions > 0,
      file: file,
      line: line
    )
    index += 1
    while word == "." {
      // A nested type in an extension is left out.
      type.isConditional = true
      index += 2
    }
    if word == "<" {
      type.isGeneric = true
      skipAngles()
    }
    if word == ":" { type.inherited = readInherited() }
    while !word.isEmpty, word != "{" {
      if word == "where" { type.isGeneric = true }
      index += 1
    }
    guard let end = tokens.closing(index) else {
      index = tokens.tokens.count
      return
    }
    index += 1
    while index < end {
      withUnsafeMutablePointer(to: &type) { readDeclaration(into: $0, file: file) }
    }
    index = end + 1
    guard !isNested else { return }
    if kind == "extension" {
      if prefix.access == .hidden { return }
      extensions.append(type)
    } else {
      types.append(type)
    }
  }

  private mutating func readInherited() -> [String] {
    var names: [String] = []
    var start = index + 1
    while !word.isEmpty, word != "{", word != "where" {
      index += 1
      if [",", "{", "where", "&"].contains(word) {
        names.append(tokens.text(start..<index))
        start = index + 1
      }
    }
    return names.map { $0.split(separator: " ").last.map(String.init) ?? $0 }
  }

  private mutating func skipAngles() {
    var depth = 0
    while !word.isEmpty {
      if word == "<" { depth += 1 }
      if word == ">" { depth -= 1 }
      index += 1
      if depth == 0 { return }
    }
  }

  // MARK: Members

  private mutating func readFunction(
    _ prefix: Prefix,
    into owner: UnsafeMutablePointer<SwiftType>?
  ) {
    index += 1
    let name = word.unquoted
    index += 1
    // An operator has several symbols.
    while !word.isEmpty, word != "(", word != "<" { index += 1 }
    var function = readCall(named: name, prefix, of: owner)
    if word == "->" {
      index += 1
      let start = index
      skipType()
      let type = tokens.text(start..<index)
      function.returnsValue = type != "Void" && type != "()"
      if type.hasPrefix("some ") { function.isGeneric = true }
    }
    skipBody()
    guard conditions == 0, !prefix.isStatic else { return }
    owner?.pointee.functions.append(function)
  }

  private mutating func readInitialiser(
    _ prefix: Prefix,
    into owner: UnsafeMutablePointer<SwiftType>?
  ) {
    index += 1
    let isFailable = word == "?" || word == "!"
    if isFailable { index += 1 }
    var initialiser = readCall(named: "init", prefix, of: owner)
    initialiser.isFailable = isFailable
    skipBody()
    // One that only some platforms have also hides the automatic one.
    if conditions > 0 { initialiser.access = .hidden }
    owner?.pointee.initialisers.append(initialiser)
  }

  /// Reads generic parameters, parameters and effects.
  private mutating func readCall(
    named name: String,
    _ prefix: Prefix,
    of owner: UnsafeMutablePointer<SwiftType>?
  ) -> SwiftFunction {
    var function = SwiftFunction(
      name: name,
      access: prefix.access ?? .module,
      attributes: prefix.attributes,
      parameters: []
    )
    function.isNonisolated = prefix.modifiers.contains("nonisolated")
    if word == "<" {
      function.isGeneric = true
      skipAngles()
    }
    guard word == "(", let end = tokens.closing(index) else { return function }
    function.parameters = readParameters(index + 1..<end)
    index = end + 1
    while ["async", "throws", "rethrows", "reasync"].contains(word) {
      if word == "async" { function.isAsync = true } else { function.isThrowing = true }
      index += 1
      if word == "(" { skipBracket() }
    }
    return function
  }

  private func readParameters(_ range: Range<Int>) -> [SwiftFunction.Parameter] {
    split(range, at: ",").compactMap { part in
      guard let colon = part.first(where: { tokens.tokens[$0].text == ":" }) else { return nil }
      let names = part[..<colon].map { tokens.tokens[$0].text.unquoted }.suffix(2)
      guard let first = names.first, let last = names.last else { return nil }
      let equals = split(part, at: "=").first?.upperBound ?? part.upperBound
      return SwiftFunction.Parameter(
        label: first == "_" ? nil : first,
        name: last,
        type: tokens.text(colon + 1..<equals),
        hasDefault: equals < part.upperBound
      )
    }
  }

  /// Splits tokens at a symbol outside of brackets.
  private func split(_ range: Range<Int>, at symbol: String) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var (start, depth) = (range.lowerBound, 0)
    for index in range {
      switch tokens.tokens[index].text {
      case "(", "[", "{", "<": depth += 1
      case ")", "]", "}", ">": depth -= 1
      case symbol where depth == 0:
        parts.append(start..<index)
        start = index + 1
      default: break
      }
    }
    if start < range.upperBound { parts.append(start..<range.upperBound) }
    return parts
  }

  /// Skips a type, which ends before `{`, `=`, `where`, or the next line.
  private mutating func skipType() {
    let start = index
    while !word.isEmpty, !["{", "=", "where", "}", ",", ";"].contains(word) {
      let before = index > 0 ? tokens.tokens[index - 1].text : ""
      let continues =
        ["->", ".", "&"].contains(word)
        || ["->", ":", ".", "&", "throws", "async"].contains(before)
      if index > start, isOnNewLine, !continues { return }
      if word == "<" {
        skipAngles()
      } else if word == "(" || word == "[" {
        skipBracket()
      } else {
        index += 1
      }
    }
  }

  private mutating func skipBody() {
    if word == "where" {
      while !word.isEmpty, word != "{", word != "}" { index += 1 }
    }
    if word == "{" { skipBracket() }
  }

  private mutating func readProperty(
    _ prefix: Prefix,
    into owner: UnsafeMutablePointer<SwiftType>?
  ) {
    let isConstant = word == "let"
    index += 1
    let name = word
    index += 1
    var type: String?
    if word == ":" {
      index += 1
      let start = index
      skipType()
      type = tokens.text(start..<index)
    }
    let hasInitialValue = word == "="
    if hasInitialValue { skipValue() }
    var (isComputed, hasSetter, hasEffects) = (false, true, false)
    if word == "{" {
      let end = tokens.closing(index) ?? tokens.tokens.count - 1
      // 'get' and 'set' in nested brackets would be other code; they only make it read-only.
      let first = word(1)
      let body = tokens.tokens[index...end].map(\.text)
      isComputed = !hasInitialValue && !["willSet", "didSet"].contains(first)
      hasSetter = !isComputed || body.contains("set")
      hasEffects = isComputed && first == "get" && ["async", "throws"].contains(word(2))
      index = end + 1
    }
    // A second variable after a comma, and a tuple, are left out.
    guard conditions == 0, !prefix.isStatic, name != "(", let owner else { return }
    let access = prefix.access ?? .module
    owner.pointee.properties.append(
      SwiftProperty(
        name: name.unquoted,
        type: type,
        access: access,
        setAccess: isConstant || !hasSetter ? .hidden : min(access, prefix.setAccess ?? access),
        attributes: prefix.attributes,
        hasInitialValue: hasInitialValue || (type?.hasSuffix("?") ?? false) && !isConstant,
        isConstant: isConstant,
        isComputed: isComputed,
        isLazy: prefix.modifiers.contains("lazy"),
        hasEffects: hasEffects
      )
    )
  }

  /// Skips an initial value, which ends before the accessors, or the next line.
  private mutating func skipValue() {
    index += 1
    while !word.isEmpty, word != "}", word != ";" {
      if word == "{" {
        // Accessors begin with these words, and closures do not.
        if ["didSet", "willSet"].contains(word(1)) { return }
        skipBracket()
      } else if word == "(" || word == "[" {
        skipBracket()
      } else {
        let isOperator = index > 0 && "+-*/=?:.&|".contains(tokens.tokens[index - 1].text)
        let continues = isOperator || [".", "?", ":", "+", "&", "|"].contains(word)
        if isOnNewLine, !continues { return }
        index += 1
      }
    }
  }

  private mutating func readCases(into owner: UnsafeMutablePointer<SwiftType>?) {
    index += 1
    guard let owner, owner.pointee.kind == "enum" else { return }
    while !word.isEmpty, word != "}" {
      let name = word.unquoted
      index += 1
      if word == "(" {
        skipBracket()
      } else if conditions == 0 {
        owner.pointee.cases.append(name)
      }
      if word == "=" { index += 2 }
      guard word == "," else { return }
      index += 1
    }
  }
}

extension String {
  /// The name without backticks.
  fileprivate var unquoted: String { hasPrefix("`") ? String(dropFirst().dropLast()) : self }
}
