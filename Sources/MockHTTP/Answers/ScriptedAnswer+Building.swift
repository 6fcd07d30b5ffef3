import RehearsalBase

extension ScriptedAnswer: ExpressibleByIntegerLiteral {
  /// A status without a body.
  public init(integerLiteral status: Int) {
    self = .status(status)
  }

  /// A status, of three digits, without a body.
  public static func status(_ status: Int) -> ScriptedAnswer {
    ScriptedAnswer(.response(ScriptedResponse(status: status)))
  }

  /// Status 200 and this JSON, taken as it is. `{name}` within its strings echoes a part of the
  /// request.
  public static func json(_ text: String) -> ScriptedAnswer { status(200).json(text) }
  /// Status 200 and this text. `{name}` echoes a part of the request.
  public static func text(_ text: String) -> ScriptedAnswer { status(200).text(text) }
  /// What goes wrong in place of a response.
  public static func fault(_ fault: Fault) -> ScriptedAnswer { ScriptedAnswer(.fault(fault)) }

  // MARK: What is sent

  /// With this JSON for its body, taken as it is. `{name}` within its strings echoes a part of the
  /// request.
  public func json(_ text: String) -> ScriptedAnswer { body(ScriptedBody(.json(text))) }
  /// With this text for its body. `{name}` echoes a part of the request.
  public func text(_ text: String) -> ScriptedAnswer { body(ScriptedBody(.text(text))) }

  /// With these bytes for its body, and nothing echoed in them. Without a type they are
  /// `application/octet-stream`.
  public func bytes(_ bytes: [UInt8], type: String? = nil) -> ScriptedAnswer {
    body(ScriptedBody(.bytes(bytes), type: type))
  }

  /// With this body in place of the one before.
  public func body(_ body: ScriptedBody) -> ScriptedAnswer { withResponse { $0.body = body } }

  /// With one more field, beside those of the same name. It takes the place of what the body
  /// suggests for that name; a name that is none is left out.
  public func header(_ name: String, _ value: String) -> ScriptedAnswer {
    withResponse { $0.headers.append(.init(name: name, value: value)) }
  }

  /// Without a length, so that nobody knows how much will come.
  public func chunked() -> ScriptedAnswer { withResponse { $0.isChunked = true } }

  /// Compressed by gzip.
  public func compressed() -> ScriptedAnswer { withResponse { $0.body.isCompressed = true } }

  /// With a body that ends otherwise than its head announces.
  public func ending(_ ending: ScriptedResponse.Ending) -> ScriptedAnswer {
    withResponse { $0.ending = ending }
  }

  // MARK: When

  /// Later by this delay, up to the first byte, in place of the one before.
  public func after(_ delay: Delay) -> ScriptedAnswer { with { $0.delay = delay } }
  /// Later by this long, up to the first byte, in place of the delay before.
  public func after(_ duration: Duration) -> ScriptedAnswer { after(.fixed(duration)) }

  /// Later by anything between the two, equally likely, drawn for each request from the server's
  /// seed.
  public func after(_ least: Duration, to most: Duration) -> ScriptedAnswer {
    after(.uniform(least, most))
  }

  /// With a body that goes out in so many pieces of about the same size, evenly over this time: the
  /// last one that long after the head. Never in more pieces than it has bytes.
  public func dripping(_ pieces: Int, over duration: Duration) -> ScriptedAnswer {
    with { $0.pace = .drip(pieces: pieces, over: duration) }
  }

  // MARK: What else

  /// This, or in its place another one, where somebody explores what else could happen.
  public func or(_ other: ScriptedAnswer) -> ScriptedAnswer {
    with { $0.alternatives += other.choices }
  }

  private func with(_ change: (inout ScriptedAnswer) -> Void) -> ScriptedAnswer {
    var answer = self
    change(&answer)
    return answer
  }

  /// A fault has no response, and stays as it is.
  private func withResponse(_ change: (inout ScriptedResponse) -> Void) -> ScriptedAnswer {
    with { answer in
      guard case .response(var response) = answer.outcome else { return }
      change(&response)
      answer.outcome = .response(response)
    }
  }
}
