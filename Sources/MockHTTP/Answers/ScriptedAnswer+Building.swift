import RehearsalBase

/// Builds answers in Swift code: `.json(…)`, `.status(404)`, `.after(…)`, `.dripping(…)`, `.or(…)`.
extension ScriptedAnswer: ExpressibleByIntegerLiteral {
  /// Creates a status without a body.
  public init(integerLiteral status: Int) {
    self = .status(status)
  }

  /// Returns a status without a body. Statuses have three digits.
  public static func status(_ status: Int) -> ScriptedAnswer {
    ScriptedAnswer(.response(ScriptedResponse(status: status)))
  }

  /// Returns status 200 with this JSON, which is not checked. `{name}` in its strings echoes a part
  /// of the request.
  public static func json(_ text: String) -> ScriptedAnswer { status(200).json(text) }
  /// Returns status 200 with this text. `{name}` echoes a part of the request.
  public static func text(_ text: String) -> ScriptedAnswer { status(200).text(text) }
  /// Returns a failure instead of a response.
  public static func fault(_ fault: Fault) -> ScriptedAnswer { ScriptedAnswer(.fault(fault)) }

  // MARK: Content

  /// Sets the body to this JSON, which is not checked. `{name}` in its strings echoes a part of the
  /// request.
  public func json(_ text: String) -> ScriptedAnswer { body(ScriptedBody(.json(text))) }
  /// Sets the body to this text. `{name}` echoes a part of the request.
  public func text(_ text: String) -> ScriptedAnswer { body(ScriptedBody(.text(text))) }

  /// Sets the body to these bytes, without placeholders. The default type is
  /// `application/octet-stream`.
  public func bytes(_ bytes: [UInt8], type: String? = nil) -> ScriptedAnswer {
    body(ScriptedBody(.bytes(bytes), type: type))
  }

  /// Replaces the body.
  public func body(_ body: ScriptedBody) -> ScriptedAnswer { withResponse { $0.body = body } }

  /// Adds a header field, also if there are others with the same name. It replaces a field that the
  /// body implies. A field with an invalid name is not sent.
  public func header(_ name: String, _ value: String) -> ScriptedAnswer {
    withResponse { $0.headers.append(.init(name: name, value: value)) }
  }

  /// Sends the body in chunks, without a length.
  public func chunked() -> ScriptedAnswer { withResponse { $0.isChunked = true } }

  /// Compresses the body with gzip.
  public func compressed() -> ScriptedAnswer { withResponse { $0.body.isCompressed = true } }

  /// Ends the body in another way than the head announces.
  public func ending(_ ending: ScriptedResponse.Ending) -> ScriptedAnswer {
    withResponse { $0.ending = ending }
  }

  // MARK: Timing

  /// Sets the delay before the first byte.
  public func after(_ delay: Delay) -> ScriptedAnswer { with { $0.delay = delay } }
  /// Sets the delay before the first byte to a constant.
  public func after(_ duration: Duration) -> ScriptedAnswer { after(.fixed(duration)) }

  /// Sets the delay to a uniformly distributed random one, drawn for each request from the server's
  /// seed.
  public func after(_ least: Duration, to most: Duration) -> ScriptedAnswer {
    after(.uniform(least, most))
  }

  /// Sends the body in `pieces` of about the same size, spread evenly over this time: the last one
  /// is sent that long after the head. Every piece has at least one byte.
  public func dripping(_ pieces: Int, over duration: Duration) -> ScriptedAnswer {
    with { $0.pace = .drip(pieces: pieces, over: duration) }
  }

  // MARK: Alternatives

  /// Adds an alternative that exploration can choose in place of this answer.
  public func or(_ other: ScriptedAnswer) -> ScriptedAnswer {
    with { $0.alternatives += other.choices }
  }

  private func with(_ change: (inout ScriptedAnswer) -> Void) -> ScriptedAnswer {
    var answer = self
    change(&answer)
    return answer
  }

  /// Changes the response. A fault has none and stays the same.
  private func withResponse(_ change: (inout ScriptedResponse) -> Void) -> ScriptedAnswer {
    with { answer in
      guard case .response(var response) = answer.outcome else { return }
      change(&response)
      answer.outcome = .response(response)
    }
  }
}
