import RehearsalBase

/// Masks secrets in JSON, by the names of fields and by their form, and writes the JSON on one line.
///
/// Values keep their types: a text becomes "masked", a number 0.
struct JSONMasking {
  enum Style: Equatable {
    /// The complete JSON, for the body of an answer.
    case body
    /// A condition for a request's body, without secrets and without texts longer than this number
    /// of bytes.
    case condition(longestText: Int)
  }

  private var cursor: JSONCursor
  private let style: Style
  private let masker: Masker
  private var output: [UInt8] = []
  private var maskCount = 0
  private var isOrdinary = true

  struct Result {
    /// The JSON in the command language's form, nil for an empty condition.
    let text: [UInt8]?
    let hasMask: Bool
    /// Whether the command language accepts it: no object has a duplicate key.
    let isOrdinary: Bool
  }

  /// Masks JSON.
  ///
  /// - Returns: nil if the bytes are not JSON.
  static func mask(_ bytes: [UInt8], style: Style, with masker: Masker) -> Result? {
    var masking = JSONMasking(cursor: JSONCursor(bytes), style: style, masker: masker)
    do throws(JSONProblem) {
      let isOut = try masking.value(under: nil)
      try masking.cursor.end()
      let isEmpty = isOut && style != .body
      return Result(
        text: isEmpty ? nil : masking.output,
        hasMask: masking.maskCount > 0,
        isOrdinary: masking.isOrdinary
      )
    } catch {
      return nil
    }
  }

  private init(cursor: JSONCursor, style: Style, masker: Masker) {
    self.cursor = cursor
    self.style = style
    self.masker = masker
  }

  /// Writes the next value. Returns true if a condition cannot contain it.
  private mutating func value(under strength: SecretName.Strength?) throws(JSONProblem) -> Bool {
    switch try cursor.kind() {
    case .object: return try object(under: strength)
    case .array: return try array(under: strength)
    case .string: return string(try cursor.stringToken(), under: strength)
    case .number:
      let token = try cursor.scalarToken()
      guard strength == .certain else {
        output += cursor.bytes[token]
        return false
      }
      markMask(cursor.bytes[token])
      output.append(UInt8(ascii: "0"))
      return true
    case .bool, .null:
      output += cursor.bytes[try cursor.scalarToken()]
      return false
    }
  }

  private mutating func object(under strength: SecretName.Strength?) throws(JSONProblem) -> Bool {
    try cursor.enterObject()
    output.append(UInt8(ascii: "{"))
    var names: Set<[UInt8]> = []
    var isFirst = true
    while let token = try cursor.nextMember() {
      let start = output.count
      if !isFirst { output += Array(", ".utf8) }
      let name = cursor.text(of: token)
      if !names.insert(name).inserted { isOrdinary = false }
      var isOut = string(token, under: nil)
      output += Array(": ".utf8)
      let own = masker.strength(of: String(decoding: name, as: UTF8.self))
      isOut = try value(under: own ?? strength) || isOut
      if isOut, style != .body { output.removeSubrange(start...) } else { isFirst = false }
    }
    output.append(UInt8(ascii: "}"))
    return false
  }

  private mutating func array(under strength: SecretName.Strength?) throws(JSONProblem) -> Bool {
    try cursor.enterArray()
    output.append(UInt8(ascii: "["))
    var isFirst = true
    var isOut = false
    while try cursor.nextElement() {
      if !isFirst { output += Array(", ".utf8) }
      isFirst = false
      isOut = try value(under: strength) || isOut
    }
    output.append(UInt8(ascii: "]"))
    return isOut
  }

  // MARK: Texts

  /// Writes a text. Returns true if a condition cannot contain it.
  private mutating func string(
    _ token: Range<Int>,
    under strength: SecretName.Strength?
  ) -> Bool {
    let text = cursor.text(of: token)
    if strength != nil, !text.isEmpty {
      markMask(text[...])
      write(Masker.mask)
      return true
    }
    let masked = masker.masked(text)
    if masked != text { maskCount += 1 }
    write(masked)
    if case .condition(let longest) = style { return masked != text || text.count > longest }
    return false
  }

  private mutating func markMask(_ secret: ArraySlice<UInt8>) {
    maskCount += 1
    masker.count(.field)
    masker.learn(secret)
  }

  private mutating func write(_ text: [UInt8]) {
    var json = JSONText(escaping: .required)
    json.append(text: String(decoding: text, as: UTF8.self))
    output += json.bytes
  }
}
