/// The reason why a HAR file cannot be read, with its location.
public struct HARProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason.
  public let reason: Reason
  /// The location, nil if the reason concerns the whole file.
  public let place: Location?

  /// Creates a problem, for other readers of files.
  public init(reason: Reason, place: Location?) {
    self.reason = reason
    self.place = place
  }

  /// A reason why a file cannot be read.
  public enum Reason: Hashable, Sendable {
    /// The file is empty.
    case empty
    /// The file ends in the middle of a value.
    case truncated
    /// The text is not JSON.
    case malformed(String)
    /// Values are nested deeper than this limit.
    case nestedTooDeep(limit: Int)
    /// A value has the wrong type; both types are in words.
    case wrongType(expected: String, found: String)
    /// A required field is missing, so this is not a HAR file.
    case missing(field: String)
    /// The encoding is not UTF-8.
    case encoding(String)
    /// The file is longer than the limit.
    case tooLarge(limitInBytes: Int)
  }

  /// A location in a file.
  public struct Location: Hashable, Sendable {
    /// The byte offset, from 0.
    public let byte: Int
    /// The line, from 1.
    public let line: Int
    /// The column, from 1, in Unicode scalars.
    public let column: Int
    /// The path in the JSON, such as `log.entries[3].response.status`; empty for the root.
    public let path: String
  }

  /// The problem with its location.
  public var description: String {
    guard let place else { return reason.sentence }
    let path = place.path.isEmpty ? "" : " (\(place.path))"
    return "line \(place.line), column \(place.column)\(path): \(reason.sentence)"
  }

  /// A suggestion, if there is one.
  public var hint: String? {
    switch reason {
    case .truncated: "save the file again: it is incomplete"
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
    case .truncated: "the file ends inside a value"
    case .malformed(let what): what
    case .nestedTooDeep(let limit): "values are nested more than \(limit) deep"
    case .wrongType(let expected, let found): "expected \(expected), found \(found)"
    case .missing(let field): "not a HAR file: there is no '\(field)'"
    case .encoding(let name): "the encoding is \(name); a HAR file must be UTF-8"
    case .tooLarge(let limit): "larger than \(limit >> 20) MB"
    }
  }
}
