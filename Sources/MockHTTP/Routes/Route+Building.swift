public import HTTPTypes

/// Routes and answers as tests write them:
///
///     server.add(.get("/posts", 503, 503, .json(#"[{"id": 1}]"#).after(.milliseconds(300))))
///     server.add(.get("/users/{id}", .json(#"{"id": "{id:json}"}"#)))
///     server.add(.post("/login", .fault(.reset)))
extension Route {
  /// Returns a route that answers GET with these answers in turn, and HEAD without the body. At
  /// least one answer.
  public static func get(
    _ path: PathTemplate,
    _ answers: ScriptedAnswer...,
    then afterLast: AfterLast = .repeatLast
  ) -> Route {
    Route(RequestPattern(method: .get, path: path), answers: answers, afterLast: afterLast)
  }

  /// Returns a route that answers POST with these answers in turn. At least one.
  public static func post(
    _ path: PathTemplate,
    _ answers: ScriptedAnswer...,
    then afterLast: AfterLast = .repeatLast
  ) -> Route {
    Route(RequestPattern(method: .post, path: path), answers: answers, afterLast: afterLast)
  }

  /// Returns a route that answers PUT with these answers in turn. At least one.
  public static func put(
    _ path: PathTemplate,
    _ answers: ScriptedAnswer...,
    then afterLast: AfterLast = .repeatLast
  ) -> Route {
    Route(RequestPattern(method: .put, path: path), answers: answers, afterLast: afterLast)
  }

  /// Returns a route that answers PATCH with these answers in turn. At least one.
  public static func patch(
    _ path: PathTemplate,
    _ answers: ScriptedAnswer...,
    then afterLast: AfterLast = .repeatLast
  ) -> Route {
    Route(RequestPattern(method: .patch, path: path), answers: answers, afterLast: afterLast)
  }

  /// Returns a route that answers DELETE with these answers in turn. At least one.
  public static func delete(
    _ path: PathTemplate,
    _ answers: ScriptedAnswer...,
    then afterLast: AfterLast = .repeatLast
  ) -> Route {
    Route(RequestPattern(method: .delete, path: path), answers: answers, afterLast: afterLast)
  }

  /// Returns a route for a method, nil for any, with these answers in turn. At least one.
  public static func on(
    _ method: HTTPRequest.Method? = nil,
    _ path: PathTemplate,
    _ answers: ScriptedAnswer...,
    then afterLast: AfterLast = .repeatLast
  ) -> Route {
    Route(RequestPattern(method: method, path: path), answers: answers, afterLast: afterLast)
  }

  /// Restricts the route to requests with this query item; nil allows any value.
  public func query(_ name: String, _ value: String?) -> Route {
    with { $0.pattern.query.append(.init(name: name, value: value.map { .text($0) } ?? .any)) }
  }

  /// Restricts the route to requests with this header field; nil allows any value.
  public func header(_ name: String, _ value: String?) -> Route {
    with { $0.pattern.headers.append(.init(name: name, value: value.map { .text($0) } ?? .any)) }
  }

  /// Restricts the route to requests with such a body. Replaces an earlier condition.
  public func body(_ condition: RequestPattern.BodyCondition) -> Route {
    with { $0.pattern.body = condition }
  }

  /// Restricts the route to a host, `name` or `name:port`.
  public func host(_ host: String) -> Route { with { $0.pattern.host = host } }

  /// Restricts the route to requests of this member or scope.
  public func scope(_ scope: String) -> Route { with { $0.scope = scope } }

  private func with(_ change: (inout Route) -> Void) -> Route {
    var route = self
    change(&route)
    return route
  }
}
