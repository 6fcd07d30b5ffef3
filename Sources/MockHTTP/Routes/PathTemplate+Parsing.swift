import RehearsalBase

extension PathTemplate {
  /// What is wrong with the text of a template.
  public enum Problem: Error, Sendable, Hashable {
    /// It does not begin with a slash.
    case noSlash
    /// A brace without its partner, or in the middle of a segment.
    case brace(segment: String)
    /// Not made of letters, digits, `_` and `-`.
    case captureName(String)
    /// Two captures have this name.
    case repeatedName(String)
    /// Something comes after `{name...}`.
    case restNotLast(String)
    /// A question mark or a number sign, which end a path.
    case notPath(Character)
  }

  /// Reads a template as it is written in a route.
  ///
  /// - Throws: `Problem`.
  public init(parsing text: String) throws(Problem) {
    guard text.utf8.first == UInt8(ascii: "/") else { throw .noSlash }
    if let end = text.first(where: { $0 == "?" || $0 == "#" }) { throw .notPath(end) }
    segments = []
    for piece in RequestTarget.rawSegments(of: text[...]) {
      if case .rest(let name)? = segments.last { throw .restNotLast(name) }
      let segment = try Self.segment(String(piece))
      if let name = Self.name(of: segment), captureNames.contains(name) {
        throw .repeatedName(name)
      }
      segments.append(segment)
    }
  }

  private static func segment(_ text: String) throws(Problem) -> Segment {
    guard text.contains(where: { $0 == "{" || $0 == "}" }) else {
      return .literal(PercentCoding.decoded(text[...]))
    }
    guard text.first == "{", text.last == "}" else { throw .brace(segment: text) }
    let isRest = text.hasSuffix("...}")
    let name = String(text.dropFirst().dropLast(isRest ? 4 : 1))
    guard !name.contains(where: { $0 == "{" || $0 == "}" }) else { throw .brace(segment: text) }
    guard isName(name) else { throw .captureName(name) }
    return isRest ? .rest(name) : .capture(name)
  }

  private static func name(of segment: Segment) -> String? {
    PathTemplate(segments: [segment]).captureNames.first
  }

  /// Whether something may be called so and echoed by that name.
  public static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

extension PathTemplate.Problem: CustomStringConvertible {
  /// A fact about the template, lower case and without a stop.
  public var description: String {
    switch self {
    case .noSlash: "a path begins with '/'"
    case .brace(let segment): "a capture fills a whole segment, and '\(segment)' does not fit"
    case .captureName(let name): "'\(name)' is no name for a capture"
    case .repeatedName(let name): "two captures are called '\(name)'"
    case .restNotLast(let name):
      "'{\(name)...}' takes all that is left, and something comes after it"
    case .notPath(let character): "'\(character)' ends a path"
    }
  }
}

extension PathTemplate: ExpressibleByStringLiteral {
  /// Reads a template that the program itself contains.
  ///
  /// - Precondition: the literal is a template.
  public init(stringLiteral text: String) {
    do throws(Problem) {
      try self.init(parsing: text)
    } catch {
      preconditionFailure("'\(text)' is no path template: \(error).")
    }
  }
}
