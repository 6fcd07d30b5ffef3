import RehearsalBase

/// Parses the text of a path with placeholders, and has the errors of invalid ones.
extension PathTemplate {
  /// A mistake in a template's text.
  public enum Problem: Error, Sendable, Hashable {
    /// The template does not begin with a slash.
    case noSlash
    /// A brace has no partner or is in the middle of a segment.
    case brace(segment: String)
    /// The name has characters other than letters, digits, `_` and `-`.
    case captureName(String)
    /// Two captures have the same name.
    case repeatedName(String)
    /// A segment follows `{name...}`.
    case restNotLast(String)
    /// The text contains a question mark or a number sign, which are not part of a path.
    case notPath(Character)
  }

  /// Parses a template.
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

  /// Returns whether the text is a valid name for a capture.
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
  /// The problem in words, lower case, without a full stop.
  public var description: String {
    switch self {
    case .noSlash: "a path must begin with '/'"
    case .brace(let segment): "a capture must be a whole segment, unlike in '\(segment)'"
    case .captureName(let name): "'\(name)' is not a valid capture name"
    case .repeatedName(let name): "two captures have the name '\(name)'"
    case .restNotLast(let name):
      "'{\(name)...}' matches the rest of the path, so it must be last"
    case .notPath(let character): "'\(character)' cannot be part of a path"
    }
  }
}

extension PathTemplate: ExpressibleByStringLiteral {
  /// Creates a template from source code.
  ///
  /// - Precondition: the literal is a valid template.
  public init(stringLiteral text: String) {
    do throws(Problem) {
      try self.init(parsing: text)
    } catch {
      preconditionFailure("'\(text)' is not a path template: \(error).")
    }
  }
}
