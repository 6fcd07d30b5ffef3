public import HTTPTypes

/// What a request has to be like.
public struct RequestPattern: Sendable, Hashable {
  /// The method, where GET takes HEAD too; nil for any.
  public var method: HTTPRequest.Method?
  /// Only requests to this host, `name` or `name:port`; nil for all.
  public var host: String?
  /// What the path has to be like.
  public var path: PathTemplate
  /// Every one of them must be in the query; others may be.
  public var query: [Condition]
  /// Every one of them must be among the header fields; names in any case.
  public var headers: [Condition]
  /// What the body has to be like; nil for any.
  public var body: BodyCondition?

  /// A named value that a request must carry.
  public struct Condition: Sendable, Hashable {
    /// Of the query item or header field.
    public var name: String
    /// What that has to be; one of several fields or items of this name suffices.
    public var value: Value

    /// What a value has to be.
    public enum Value: Sendable, Hashable {
      /// Whatever it is, as long as it is there.
      case any
      /// Exactly this text; one of a query is decoded first.
      case text(String)
      /// Any, and answers may echo it by this name.
      case capture(String)
    }

    /// A condition that the request carries something of this name.
    public init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// What a body has to be like.
  public enum BodyCondition: Sendable, Hashable {
    /// This text is somewhere in the body.
    case contains(String)
    /// The body is JSON that has at least these fields, given as JSON text.
    case json(String)
  }

  /// A pattern that asks for nothing but what is said.
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
