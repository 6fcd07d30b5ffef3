import RehearsalBase

extension PipeSpec {
  /// The text of the pipe in one spelling. It reads back as the same pipe.
  package var text: String {
    ([source.value.text] + stages.map(\.value.text)).joined(separator: " | ")
  }

  /// The text of an operand: a name alone, or anything else in parentheses.
  fileprivate var operandText: String {
    if case .member(let name) = source.value, stages.isEmpty { return name }
    return "(" + text + ")"
  }

  /// The text for `map` and `flatMap`: a load alone, or anything else in parentheses.
  fileprivate var innerText: String {
    if case .load = source.value, stages.isEmpty { return text }
    return "(" + text + ")"
  }
}

extension PipeSpec.Source {
  /// The text as in a command.
  package var text: String {
    switch self {
    case .member(let name): name
    case .values(let values) where values.isEmpty: "empty"
    case .values(let values) where values.count == 1: "just " + values[0].text
    case .values(let values): "values " + values.map(\.text).joined(separator: ", ")
    case .never: "never"
    case .fail(let error): "fail " + error.commandText
    case .load(let load): "load " + load.text
    case .future(let load): "future " + load.text
    case .deferred(let pipe): "deferred (" + pipe.text + ")"
    }
  }
}

extension PipeSpec.LoadSpec {
  /// The text after `load`.
  package var text: String {
    var text = outcomes.map(\.text).joined(separator: " or ")
    if let after { text += " after " + after.text }
    if let type { text += " as " + type.text }
    return text
  }
}

extension PipeSpec.LoadSpec.Outcome {
  fileprivate var text: String {
    switch self {
    case .value(let value): value.text
    case .fail(let error): "fail " + error.commandText
    case .never: "never"
    case .request(let source): "from " + source.text
    }
  }
}

extension PipeSpec.Stage {
  /// The text after a `|`.
  package var text: String {
    switch self {
    case .map(.field(let path)): "map " + path.joined(separator: ".")
    case .map(.template(let value)): "map " + value.text
    case .map(.pipe(let pipe)): "map " + pipe.innerText
    case .filter(let condition): "filter " + condition.text
    case .throttle(let window, let latest): "throttle " + window.compact + (latest ? "" : " first")
    case .debounce(let time): "debounce " + time.compact
    case .delay(let time): "delay " + time.compact
    case .timeout(let limit, let error):
      "timeout " + limit.compact + (error.map { " fail " + $0.commandText } ?? "")
    case .flatMap(let pipe, let most):
      "flatMap " + (most.map { "max \($0) " } ?? "") + pipe.innerText
    case .retry(let count): "retry \(count)"
    case .replaceError(let value): "replaceError " + value.text
    case .catch(let pipe): "catch (" + pipe.text + ")"
    case .merge(let pipes): "merge " + Self.list(pipes)
    case .combineLatest(let pipes): "combineLatest " + Self.list(pipes)
    case .zip(let pipes): "zip " + Self.list(pipes)
    case .scan(let kind): "scan " + kind.rawValue
    case .prefix(let count): "prefix \(count)"
    case .dropFirst(let count): "dropFirst \(count)"
    case .removeDuplicates, .switchToLatest, .share, .first, .last, .collect: word
    }
  }

  /// The operator's name, as in `log`.
  package var word: String {
    switch self {
    case .map: "map"
    case .filter: "filter"
    case .throttle: "throttle"
    case .debounce: "debounce"
    case .delay: "delay"
    case .timeout: "timeout"
    case .removeDuplicates: "removeDuplicates"
    case .switchToLatest: "switchToLatest"
    case .flatMap: "flatMap"
    case .retry: "retry"
    case .replaceError: "replaceError"
    case .catch: "catch"
    case .merge: "merge"
    case .combineLatest: "combineLatest"
    case .zip: "zip"
    case .share: "share"
    case .scan: "scan"
    case .prefix: "prefix"
    case .dropFirst: "dropFirst"
    case .first: "first"
    case .last: "last"
    case .collect: "collect"
    }
  }

  private static func list(_ pipes: [PipeSpec]) -> String {
    pipes.map(\.operandText).joined(separator: ", ")
  }
}

extension PipeSpec.Condition {
  fileprivate var text: String {
    let field = path.isEmpty ? "" : path.joined(separator: ".") + " "
    return field + comparison.rawValue + " " + operand.text
  }
}

extension ErrorSpec {
  /// The text in full.
  package var commandText: String {
    switch self {
    case .text(let text): text.inQuotes
    case .transport(let name, let detail):
      "transport " + name + (detail.map { " " + $0.inQuotes } ?? "")
    case .decoding(let text): "decoding " + text.inQuotes
    case .image(let found): "image " + found.inQuotes
    case .url, .http, .timeout, .cancellation, .control: text
    }
  }
}

extension TypeExpression {
  /// The text as in a command.
  var text: String {
    switch self {
    case .named(let name, _): name
    case .date(let format, _): ValueType.date(format).text
    case .optional(let type): type.text + "?"
    case .array(let type): "[" + type.text + "]"
    }
  }
}
