import HTTPTypes
import RehearsalBase
import RemoteLoading

/// A converter from recorded responses to answers.
struct AnswerMaker {
  private let hosts: RecordedHosts
  private let options: TrafficOptions
  private let masker: Masker
  private(set) var files: BodyFiles

  init(_ hosts: RecordedHosts, _ options: TrafficOptions, _ masker: Masker) {
    self.hosts = hosts
    self.options = options
    self.masker = masker
    files = BodyFiles(prefix: options.filePrefix)
  }

  /// Returns the answer, nil if a route cannot express it. A body that would take a large part of
  /// the command's remaining room, in bytes, becomes a file.
  mutating func answer(
    to exchange: RecordedExchange,
    at path: PathTemplate,
    room: Int
  ) -> ScriptedAnswer? {
    let limit = min(options.longestInlineBody, options.inliningBytes ? room / 4 : room / 40)
    let delay = Delay.fixed(exchange.wait.inWholeMilliseconds)
    switch exchange.outcome {
    case .failure(let error):
      return Self.fault(error).map { ScriptedAnswer(.fault($0), delay: delay) }
    case .responseWithoutBody(let response, let size):
      let body = ScriptedBody(.filler(bytes: size), type: response.head.headerFields[.contentType])
      return answer(response, body, delay, pace: Self.pace(exchange, size))
    case .response(let response):
      let body = body(of: response, to: exchange.request, at: path, inline: limit)
      let count = body.content == .empty ? 0 : response.body.count
      return answer(response, body, delay, pace: Self.pace(exchange, count))
    }
  }

  private mutating func answer(
    _ response: RemoteResponse,
    _ body: ScriptedBody,
    _ delay: Delay,
    pace: ScriptedAnswer.Pace
  ) -> ScriptedAnswer {
    let scripted = ScriptedResponse(
      status: response.head.status.code,
      headers: headers(of: response.head),
      body: body
    )
    return ScriptedAnswer(.response(scripted), delay: delay, pace: pace)
  }

  private static func fault(_ error: TransportError) -> Fault? {
    switch error {
    case .refused: .refused
    case .reset: .reset
    case .empty: .empty
    case .malformed: .garbage
    case .timedOut: .never
    case .insecure: .tls
    case .truncated, .cancelled, .unresolved, .offline, .unsupportedURL, .tooManyRedirects,
      .unmatched, .forbidden, .other:
      nil
    }
  }

  private static let shortestDrip = Duration.milliseconds(100)

  private static func pace(_ exchange: RecordedExchange, _ count: Int) -> ScriptedAnswer.Pace {
    let time = exchange.receive.inWholeMilliseconds
    guard time >= shortestDrip, count > 1 else { return .atOnce }
    return .drip(pieces: min(count, 20, max(2, Int(time / shortestDrip))), over: time)
  }

  private func headers(of head: HTTPResponse) -> [ScriptedResponse.Header] {
    head.headerFields.filter { KeptHeaders.keeps($0.name.canonicalName) }.map { field in
      var value = field.value
      if field.name == .location, let place = hosts.place(inside: value) { value = place }
      return ScriptedResponse.Header(
        name: field.name == .location ? "Location" : field.name.rawName,
        value: masker.value(ofHeader: field.name.rawName, value)
      )
    }
  }

  // MARK: Body

  private mutating func body(
    of response: RemoteResponse,
    to request: RemoteRequest,
    at path: PathTemplate,
    inline limit: Int
  ) -> ScriptedBody {
    let status = response.head.status.code
    guard !response.body.isEmpty, request.head.method != .head, status != 204, status != 304 else {
      return .empty
    }
    let type = ContentType(masker.masked(response.head.headerFields[.contentType] ?? ""))
    let body =
      text(response.body, type)
      ?? RecordedBody(bytes: masker.maskedInPlace(response.body), type: type)
    return body.inline(atMost: limit, evenBytes: options.inliningBytes) ?? file(body, type, path)
  }

  /// Returns a human-readable body with its secrets masked.
  private func text(_ bytes: [UInt8], _ type: ContentType) -> RecordedBody? {
    if type.isText == false { return nil }
    if let json = JSONMasking.mask(bytes, style: .body, with: masker), let text = json.text,
      type.isJSON || text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[")
    {
      return RecordedBody(
        bytes: text,
        original: json.hasMask ? nil : bytes,
        kind: json.isOrdinary ? .json : .binary,
        type: type
      )
    }
    guard type.isText == true || String(validating: bytes, as: UTF8.self) != nil else { return nil }
    return RecordedBody(bytes: masker.masked(bytes, type.language), kind: .text, type: type)
  }

  private mutating func file(
    _ body: RecordedBody,
    _ type: ContentType,
    _ path: PathTemplate
  ) -> ScriptedBody {
    let bytes = body.original ?? body.bytes
    let name = files.name(for: bytes, ending: type.fileExtension, path)
    return ScriptedBody(.file(name: name, bytes: bytes), type: type.text.isEmpty ? nil : type.text)
  }
}
