public import HTTPTypes

/// The conditions that a request must meet: method, host, path, query, header fields and body; the scheme is only
/// shown.
public struct RequestPattern: Sendable, Hashable {
  /// The method, nil for any. GET includes HEAD.
  public var method: HTTPRequest.Method?
  /// The host, as `name` or `name:port`; nil for any.
  public var host: String?
  /// The scheme that a command gave with the host: `https`, or nil for `http`. It is only shown: the pattern matches
  /// both.
  package var scheme: String?
  /// The path.
  public var path: PathTemplate
  /// The query items that must be present. The request may have more.
  public var query: [Condition]
  /// The header fields that must be present. Names ignore case.
  public var headers: [Condition]
  /// The condition for the body, nil for any.
  public var body: BodyCondition?

  /// A named value that a request must have.
  public struct Condition: Sendable, Hashable {
    /// The name of the query item or header field.
    public var name: String
    /// The expected value. If a name occurs several times, one match is enough.
    public var value: Value

    /// A condition for a value.
    public enum Value: Sendable, Hashable {
      /// Any value.
      case any
      /// Exactly this text. A query's value is decoded first.
      case text(String)
      /// Any value, which answers can echo by this name.
      case capture(String)
    }

    /// Creates the condition for a name.
    public init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// A condition for a body.
  public enum BodyCondition: Sendable, Hashable {
    /// The body contains this text.
    case contains(String)
    /// The body is JSON that has at least these fields, given as JSON text.
    case json(String)
  }

  /// Creates a pattern; without further arguments, it matches any request for the path.
  public init(
    method: HTTPRequest.Method? = nil,
    host: String? = nil,
    path: PathTemplate,
    query: [Condition] = [],
    headers: [Condition] = [],
    body: BodyCondition? = nil
  ) {
    self.method = method
    self.host = host
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}
