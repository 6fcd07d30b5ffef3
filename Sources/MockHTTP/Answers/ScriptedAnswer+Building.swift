extension ScriptedAnswer: ExpressibleByIntegerLiteral {
  /// A status without a body.
  public init(integerLiteral status: Int) {
    self = .status(status)
  }

  public static func status(_ status: Int) -> ScriptedAnswer {
    ScriptedAnswer(.response(ScriptedResponse(status: status)))
  }

  public static func json(_ text: String) -> ScriptedAnswer { status(200).json(text) }
  public static func text(_ text: String) -> ScriptedAnswer { status(200).text(text) }
  public static func fault(_ fault: Fault) -> ScriptedAnswer { ScriptedAnswer(.fault(fault)) }

  // MARK: What is sent

  public func json(_ text: String) -> ScriptedAnswer { body(ScriptedBody(.json(text))) }
  public func text(_ text: String) -> ScriptedAnswer { body(ScriptedBody(.text(text))) }

  public func bytes(_ bytes: [UInt8], type: String? = nil) -> ScriptedAnswer {
    body(ScriptedBody(.bytes(bytes), type: type))
  }

  public func body(_ body: ScriptedBody) -> ScriptedAnswer { withResponse { $0.body = body } }

  public func header(_ name: String, _ value: String) -> ScriptedAnswer {
    withResponse { $0.headers.append(.init(name: name, value: value)) }
  }

  /// Without a length, so that nobody knows how much will come.
  public func chunked() -> ScriptedAnswer { withResponse { $0.isChunked = true } }

  /// Compressed by gzip.
  public func compressed() -> ScriptedAnswer { withResponse { $0.body.isCompressed = true } }

  public func ending(_ ending: ScriptedResponse.Ending) -> ScriptedAnswer {
    withResponse { $0.ending = ending }
  }

  // MARK: When

  public func after(_ delay: Delay) -> ScriptedAnswer { with { $0.delay = delay } }
  public func after(_ duration: Duration) -> ScriptedAnswer { after(.fixed(duration)) }

  public func after(_ least: Duration, to most: Duration) -> ScriptedAnswer {
    after(.uniform(least, most))
  }

  public func dripping(_ pieces: Int, over duration: Duration) -> ScriptedAnswer {
    with { $0.pace = .drip(pieces: pieces, over: duration) }
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
