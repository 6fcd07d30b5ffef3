/// Why a HAR file cannot be read, and where the mistake is.
public struct HARProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let reason: Reason
  /// Where; nil where the file as a whole is meant.
  public let place: Location?

  /// A problem, for who reads files in another way.
  public init(reason: Reason, place: Location?) {
    self.reason = reason
    self.place = place
  }

  /// What can be wrong with a file.
  public enum Reason: Hashable, Sendable {
    /// There is nothing in it.
    case empty
    /// The file ends in the middle of a value.
    case truncated
    /// The text is not JSON.
    case malformed(String)
    /// Values lie deeper in each other than this.
    case nestedTooDeep(limit: Int)
    /// A value is not of the type that HAR has there; both in words.
    case wrongType(expected: String, found: String)
    /// There is no such field, without which it is no HAR file.
    case missing(field: String)
    /// In another encoding than UTF-8.
    case encoding(String)
    /// The file is longer than what is read.
    case tooLarge(limitInBytes: Int)
  }

  /// Line and column count from 1, the column in characters as they are encoded; `byte` from 0.
  public struct Location: Hashable, Sendable {
    /// From 0.
    public let byte: Int
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int
    /// Such as `log.entries[3].response.status`; empty for the whole.
    public let path: String
  }

  /// What is wrong and where, a fact about the file.
  public var description: String {
    guard let place else { return reason.sentence }
    let path = place.path.isEmpty ? "" : " (\(place.path))"
    return "line \(place.line), column \(place.column)\(path): \(reason.sentence)"
  }

  /// What to do about it, where anything can be done.
  public var hint: String? {
    switch reason {
    case .truncated: "save the file again: it is not whole"
    case .tooLarge: "filter the requests in the browser's network panel, and save those"
    case .missing, .wrongType: "save the file in the browser's network panel, as HAR"
    case .encoding: "save the file as UTF-8"
    case .empty, .malformed, .nestedTooDeep: nil
    }
  }
}

extension HARProblem.Reason {
  var sentence: String {
    switch self {
    case .empty: "the file is empty"
    case .truncated: "the file ends here, within a value"
    case .malformed(let what): what
    case .nestedTooDeep(let limit): "values are nested more than \(limit) deep"
    case .wrongType(let expected, let found): "expected \(expected), found \(found)"
    case .missing(let field): "there is no '\(field)'; this is no HAR file"
    case .encoding(let name): "the file is in \(name); a HAR file is in UTF-8"
    case .tooLarge(let limit): "larger than \(limit >> 20) MB"
    }
  }
}
