import HTTPTypes
import RemoteLoading

/// A response whose body and header fields can have placeholders for parts of the request.
struct ResponseTemplate: Sendable {
  private let response: ScriptedResponse
  private let pattern: RequestPattern
  private let body: TextTemplate?
  private let headers: [TextTemplate]

  init(_ response: ScriptedResponse, pattern: RequestPattern) {
    self.response = response
    self.pattern = pattern
    let names = Set(pattern.captureNames)
    body =
      switch response.body.content {
      case .text(let text): TextTemplate(text, captures: names)
      case .json(let text): TextTemplate(json: text, captures: names)
      case .empty, .bytes, .file, .filler: nil
      }
    headers = response.headers.map { TextTemplate($0.value, captures: names) }
  }

  /// Whether there are no placeholders.
  var isConstant: Bool { (body?.isConstant ?? true) && headers.allSatisfy(\.isConstant) }

  func filledIn(for reading: inout RequestReading, count: Int) -> ScriptedResponse {
    var values = RequestValues(pattern: pattern, count: count)
    var result = response
    for (index, template) in headers.enumerated() {
      result.headers[index].value = template.text(&values, &reading)
    }
    guard let body else { return result }
    let text = body.text(&values, &reading)
    if case .json = response.body.content {
      result.body.content = .json(text)
    } else {
      result.body.content = .text(text)
    }
    return result
  }
}

extension RequestPattern {
  /// The names of the captures in path, query and header fields.
  var captureNames: [String] {
    path.captureNames
      + (query + headers).compactMap { condition in
        if case .capture(let name) = condition.value { name } else { nil }
      }
  }
}

/// The values of the placeholders for one request.
struct RequestValues {
  let pattern: RequestPattern
  let count: Int
  private lazy var captures: [String: String]? = nil

  init(pattern: RequestPattern, count: Int) {
    self.pattern = pattern
    self.count = count
  }

  /// Returns the value of a placeholder, nil if the request lacks it.
  mutating func value(_ name: TextTemplate.Name, _ reading: inout RequestReading) -> String? {
    switch name {
    case .capture(let name): captured(&reading)[name]
    case .method: reading.method.rawValue
    case .path: String(reading.path)
    case .body: String(decoding: reading.request.body, as: UTF8.self)
    case .count: String(count)
    case .query(let name): reading.query.first { $0.name == name }?.value
    case .header(let name): reading.values(ofHeader: name).last
    }
  }

  private mutating func captured(_ reading: inout RequestReading) -> [String: String] {
    if let captures { return captures }
    var found: [String: String] = [:]
    for (name, value) in pattern.path.captures(in: reading.segments) { found[name] = value }
    for condition in pattern.query {
      guard case .capture(let name) = condition.value else { continue }
      found[name] = reading.query.first { $0.name == condition.name }?.value
    }
    for condition in pattern.headers {
      guard case .capture(let name) = condition.value else { continue }
      found[name] = reading.values(ofHeader: condition.name).last
    }
    captures = found
    return found
  }
}
