package import MockHTTP
import RehearsalBase

/// Writes an answer as in a `route` command: body, header fields, ending, pace and delay.
extension ScriptedAnswer {
  /// The answer as in a command: `200 json {"id": 1} after 300ms`.
  package var text: String {
    var parts = [outcome.text]
    if let pace = pace.text { parts.append(pace) }
    if delay != .fixed(.zero) { parts.append("after " + delay.text) }
    return parts.joined(separator: " ")
  }

  /// Returns the same before another last answer, whose time holds for all answers without one.
  func text(before last: ScriptedAnswer?) -> String {
    guard let last else { return text }
    var parts = [outcome.text]
    if outcome.hasBody, pace != last.pace { parts.append(pace.text ?? "at once") }
    if delay != last.delay { parts.append("after " + delay.text) }
    return parts.joined(separator: " ")
  }
}

extension ScriptedAnswer.Outcome {
  fileprivate var hasBody: Bool {
    if case .response(let response) = self { response.body.content != .empty } else { false }
  }

  fileprivate var text: String {
    switch self {
    case .response(let response): response.text
    case .fault(let fault): fault.rawValue
    }
  }
}

extension ScriptedAnswer.Pace {
  /// The pace; nil for at once, the default.
  fileprivate var text: String? {
    switch self {
    case .atOnce: nil
    case .drip(let pieces, let duration):
      "dripping \("chunk".counted(pieces)) over \(duration.compact)"
    }
  }
}

extension Delay {
  /// The delay after `after`: `300ms`, `100ms to 400ms`, `lognormal 200ms sigma 0.5`.
  package var text: String {
    switch self {
    case .fixed(let duration): return duration.compact
    case .uniform(let least, let most): return "\(least.compact) to \(most.compact)"
    case .logNormal(let median, let sigma):
      let whole = sigma.rounded() == sigma && (0...3).contains(sigma)
      return "lognormal \(median.compact) sigma " + (whole ? "\(Int(sigma))" : "\(sigma)")
    }
  }
}

extension ScriptedResponse {
  /// The answer without its time: `302 to /home`, `200 gzip json [1] chunked`.
  package var text: String {
    var parts = ["\(status)"]
    if let body = body.text { parts.append(body) }
    var location: Int?
    if (300...399).contains(status), status != 304 {
      location = headers.firstIndex { $0.name == "Location" }
    }
    for (index, header) in headers.enumerated() {
      parts.append(index == location ? "to " + header.value.bareOrQuoted : header.text)
    }
    if isChunked { parts.append("chunked") }
    if let ending = ending.text { parts.append(ending) }
    return parts.joined(separator: " ")
  }
}

extension ScriptedResponse.Header {
  /// The header field as in a command: `with Cache-Control "no-store"`.
  var text: String { "with \(name.headerNameText) \(value.inQuotes)" }
}

extension ScriptedResponse.Ending {
  fileprivate var text: String? {
    switch self {
    case .complete: nil
    case .closed(let count): "cut after \(ByteCount.textWithUnit(count))"
    case .reset(let count): "reset after \(ByteCount.textWithUnit(count))"
    case .silent(let count): "silent after \(ByteCount.textWithUnit(count))"
    case .claiming(let count): "claiming \(ByteCount.textWithUnit(count))"
    }
  }
}

extension ScriptedBody {
  /// The words for the body; nil if there are none.
  fileprivate var text: String? {
    var parts = isCompressed ? ["gzip"] : []
    if let content = contentText { parts.append(content.text) }
    let implied = contentText?.impliedType
    if let type, type != implied { parts.append("type " + type.inQuotes) }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// Returns the content and the media type that its words imply.
  private var contentText: (text: String, impliedType: String?)? {
    switch content {
    case .empty: return nil
    case .text(let text):
      guard type == Self.htmlType else { return ("text " + text.inQuotes, nil) }
      return ("html " + text.inQuotes, Self.htmlType)
    case .json(let text):
      if let value = (try? JSONValue(json: Array(text.utf8))) { return ("json " + value.text, nil) }
      // Invalid JSON must be written as a text.
      let words = "text " + text.inQuotes
      return (type == nil ? words + " type \"application/json\"" : words, nil)
    case .bytes(let bytes): return ("base64 " + Base64.text(bytes).inQuotes, nil)
    case .file(let name, _): return ("file " + name.bareOrQuoted, nil)
    case .filler(let count): return ("bytes " + ByteCount.text(count), nil)
    }
  }
}
