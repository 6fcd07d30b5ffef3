import MockHTTP
package import RehearsalBase

/// Inserts a value for `{value}` in a stage or request, escaped as its place requires.
extension PipeSpec.Stage {
  /// Returns the stage with `{value}` replaced in its values. Inner pipes do not change.
  package func filled(with value: JSONValue) -> Self {
    switch self {
    case .filter(let condition): .filter(condition.filled(with: value))
    case .prefixWhile(let condition): .prefixWhile(condition.filled(with: value))
    case .dropWhile(let condition): .dropWhile(condition.filled(with: value))
    case .firstWhere(let condition): .firstWhere(condition.filled(with: value))
    case .tryMap(let transform, let error, let condition):
      .tryMap(transform, error, if: condition?.filled(with: value))
    case .replaceError(let replacement): .replaceError(replacement.filled(with: value))
    case .replaceNil(let replacement): .replaceNil(replacement.filled(with: value))
    case .replaceEmpty(let replacement): .replaceEmpty(replacement.filled(with: value))
    case .scan(let kind, let first): .scan(kind, from: first?.filled(with: value))
    case .reduce(let kind, let first): .reduce(kind, from: first?.filled(with: value))
    case .map, .compactMap, .flatMap, .throttle, .debounce, .delay, .timeout, .removeDuplicates,
      .switchToLatest, .retry, .mapError, .catch, .merge, .combineLatest, .zip, .share, .count,
      .prepend, .append, .prefix, .prefixUntil, .dropFirst, .dropUntil, .first, .last, .collect,
      .collectByCount, .collectByTime, .buffer, .receive, .subscribe, .handleEvents:
      self
    }
  }
}

extension PipeSpec.Condition {
  /// Returns the condition with `{value}` replaced in its operand.
  package func filled(with value: JSONValue) -> Self {
    Self(path: path, comparison: comparison, operand: operand.filled(with: value))
  }
}

extension RequestSpec {
  /// Returns the request with `{value}` replaced: escaped in its address, as JSON or text in its
  /// body.
  package func filled(with value: JSONValue) -> RequestSpec {
    var filled = self
    let mark = path.firstIndex(of: "?") ?? path.endIndex
    filled.path =
      Self.filled(path[..<mark], with: value, in: .segment)
      + Self.filled(path[mark...], with: value, in: .query)
    for index in headers.indices {
      filled.headers[index].value = PipeTemplate(headers[index].value)
        .filled(with: value, escape: Self.inOneLine)
    }
    filled.body = body?.filled(with: value)
    return filled
  }

  private static func filled(
    _ part: Substring,
    with value: JSONValue,
    in place: PercentCoding.URLPart
  ) -> String {
    guard part.utf8.contains(UInt8(ascii: "{")) else { return String(part) }
    return PipeTemplate(String(part)).filled(with: value) {
      PercentCoding.inASCII(PercentCoding.readable($0, in: place))
    }
  }

  /// Returns a header's value as one line, whatever value was inserted.
  private static func inOneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
  }
}

extension RequestSpec.Body {
  fileprivate func filled(with value: JSONValue) -> Self {
    switch self {
    case .json(let text):
      (try? JSONValue(json: Array(text.utf8))).map { .json($0.filled(with: value).text) } ?? self
    case .text(let text): .text(PipeTemplate(text).filled(with: value))
    }
  }
}
