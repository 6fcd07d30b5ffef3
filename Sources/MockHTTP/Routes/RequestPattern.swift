public import HTTPTypes

/// What a request has to be like.
public struct RequestPattern: Sendable, Hashable {
  /// nil: any.
  public var method: HTTPRequest.Method?
  /// Only requests to this host, `name` or `name:port`; nil for all.
  public var host: String?
  public var path: PathTemplate
  /// Every one of them must be in the query; others may be.
  public var query: [Condition]
  /// Every one of them must be among the header fields; names in any case.
  public var headers: [Condition]
  public var body: BodyCondition?

  /// A named value that a request must carry.
  public struct Condition: Sendable, Hashable {
    public var name: String
    public var value: Value

    public enum Value: Sendable, Hashable {
      case any
      case text(String)
      /// Any, and answers may echo it by this name.
      case capture(String)
    }

    public init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  public enum BodyCondition: Sendable, Hashable {
    case contains(String)
    /// The body is JSON that has at least these fields, given as JSON text.
    case json(String)
  }

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
