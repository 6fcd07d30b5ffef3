package import MockHTTP
import RehearsalBase

/// Writes a route as a `route` command: its pattern, conditions and clauses, around the texts of its answers.
extension Route {
  /// The command for this route, on one line. It reads back as the same route.
  package var commandText: String {
    var parts = ["route", pattern.targetText]
    let last = answers.last?.choices.last
    var texts = answers.map { $0.choices.map { $0.text(before: last) } }
    if let last { texts[texts.count - 1][texts[texts.count - 1].count - 1] = last.text }
    parts.append(texts.map { $0.joined(separator: " or ") }.joined(separator: ", "))
    for header in pattern.headers { parts.append("header " + header.headerText) }
    if let body = pattern.body { parts.append("body " + body.text) }
    if afterLast != .repeatLast {
      parts += Self.AfterLast.words.filter { $0.meaning == afterLast }.map { "then " + $0.word }
    }
    if let scope { parts.append("for " + (scope.isOneWord ? scope : scope.inQuotes)) }
    return parts.joined(separator: " ")
  }
}

extension RequestPattern {
  /// The method and the target: `GET /users/{id}?page={page}`, `any http://localhost/feed`.
  package var targetText: String {
    (method?.text ?? "any") + " " + originText + path.text + queryText
  }

  private var queryText: String {
    guard !query.isEmpty else { return "" }
    return "?" + query.map(\.queryText).joined(separator: "&")
  }
}

extension PathTemplate {
  /// The path as in a command: `/users/{id}`.
  package var text: String {
    guard !segments.isEmpty else { return "/" }
    return segments.map { segment in
      switch segment {
      case .literal(let text): "/" + PercentCoding.readable(text, in: .segment)
      case .capture(let name): "/{\(name)}"
      case .rest(let name): "/{\(name)...}"
      }
    }.joined()
  }
}

extension RequestPattern.Condition {
  fileprivate var queryText: String {
    let name = PercentCoding.readable(name, in: .query)
    return switch value {
    case .any: name
    case .text(let text): name + "=" + PercentCoding.readable(text, in: .query)
    case .capture(let capture): "\(name)={\(capture)}"
    }
  }

  fileprivate var headerText: String {
    let name = name.headerNameText
    return switch value {
    case .any: name
    case .text(let text): name + " " + text.inQuotes
    case .capture(let capture): "\(name) {\(capture)}"
    }
  }
}

extension RequestPattern.BodyCondition {
  fileprivate var text: String {
    switch self {
    case .contains(let text): "containing " + text.inQuotes
    case .json(let text): "json " + ((try? JSONValue(json: Array(text.utf8)))?.text ?? text)
    }
  }
}

extension String {
  /// The name of a header as in a command: in quotes if it is a keyword or no word.
  var headerNameText: String {
    isOneWord && !Parser.routeWords.contains(self) ? self : inQuotes
  }

  /// Whether the parser reads it as one word.
  var isOneWord: Bool {
    guard let first = utf8.first else { return false }
    return utf8.allSatisfy { $0.isWordByte && $0 < 0x80 } && !"-.".utf8.contains(first)
  }
}
