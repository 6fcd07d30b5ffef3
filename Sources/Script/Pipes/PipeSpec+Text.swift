import RehearsalBase

/// Writes a pipe as the text that reads back as the same pipe.
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

  /// The text for `prepend` and `append`: values, a load or a name alone, or anything else in
  /// parentheses.
  fileprivate var insertedText: String {
    guard stages.isEmpty else { return "(" + text + ")" }
    return switch source.value {
    case .values(let values) where !values.isEmpty: values.map(\.text).joined(separator: ", ")
    case .load: text
    default: operandText
    }
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
    case .timer(let interval): "timer " + interval.compact
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

extension PipeSpec.Transform {
  /// The text as an argument; empty for the value itself.
  var text: String {
    switch self {
    case .field(let path): path.joined(separator: ".")
    case .template(let value): value.text
    }
  }
}

extension PipeSpec.Stage {
  /// The text after a `|`.
  package var text: String { ([word] + arguments).joined(separator: " ") }

  private var arguments: [String] {
    switch self {
    case .map(.value(let transform)): [transform.text]
    case .map(.pipe(let pipe)): [pipe.innerText]
    case .compactMap(let transform): [transform.text].filter { !$0.isEmpty }
    case .tryMap(let transform, let error, let condition):
      [transform.text].filter { !$0.isEmpty } + ["fail", error.commandText]
        + (condition.map { ["if", $0.text] } ?? [])
    case .filter(let condition): [condition.text]
    case .throttle(let window, let latest): [window.compact] + (latest ? [] : ["first"])
    case .debounce(let time), .delay(let time): [time.compact]
    case .timeout(let limit, let error):
      [limit.compact] + (error.map { ["fail", $0.commandText] } ?? [])
    case .flatMap(let pipe, let most): (most.map { ["max", "\($0)"] } ?? []) + [pipe.innerText]
    case .buffer(let size, let keepsFull, let whenFull):
      ["\(size)"] + (keepsFull ? ["keepFull"] : []) + whenFull.arguments
    case .receive(let queue), .subscribe(let queue): ["on", queue.rawValue]
    case .handleEvents(let events):
      events.count == PipeSpec.HandledEvent.allCases.count
        ? []
        : [
          PipeSpec.HandledEvent.allCases.filter(events.contains).map(\.rawValue)
            .joined(separator: ", ")
        ]
    case .retry(let count), .prefix(let count), .dropFirst(let count),
      .collectByCount(let count):
      ["\(count)"]
    case .replaceError(let value), .replaceNil(let value), .replaceEmpty(let value): [value.text]
    case .mapError(let error): [error.commandText]
    case .catch(let pipe): ["(" + pipe.text + ")"]
    case .merge(let pipes), .combineLatest(let pipes), .zip(let pipes): [Self.list(pipes)]
    case .scan(let kind, let first), .reduce(let kind, let first):
      [kind.rawValue] + (first.map { ["from", $0.text] } ?? [])
    case .prepend(let pipe), .append(let pipe): [pipe.insertedText]
    case .prefixWhile(let condition), .dropWhile(let condition): ["while", condition.text]
    case .prefixUntil(let pipe), .dropUntil(let pipe): ["until", pipe.operandText]
    case .firstWhere(let condition): ["where", condition.text]
    case .collectByTime(let window, let most):
      [window.compact] + (most.map { ["max", "\($0)"] } ?? [])
    case .removeDuplicates, .switchToLatest, .share, .count, .first, .last, .collect: []
    }
  }

  /// The operator's name, as in `log`.
  package var word: String {
    switch self {
    case .map: "map"
    case .compactMap: "compactMap"
    case .tryMap: "tryMap"
    case .replaceNil: "replaceNil"
    case .filter: "filter"
    case .throttle: "throttle"
    case .debounce: "debounce"
    case .delay: "delay"
    case .timeout: "timeout"
    case .removeDuplicates: "removeDuplicates"
    case .switchToLatest: "switchToLatest"
    case .flatMap: "flatMap"
    case .buffer: "buffer"
    case .receive: "receive"
    case .subscribe: "subscribe"
    case .handleEvents: "handleEvents"
    case .retry: "retry"
    case .replaceError: "replaceError"
    case .mapError: "mapError"
    case .catch: "catch"
    case .merge: "merge"
    case .combineLatest: "combineLatest"
    case .zip: "zip"
    case .share: "share"
    case .scan: "scan"
    case .reduce: "reduce"
    case .count: "count"
    case .replaceEmpty: "replaceEmpty"
    case .prepend: "prepend"
    case .append: "append"
    case .prefix, .prefixWhile, .prefixUntil: "prefix"
    case .dropFirst: "dropFirst"
    case .dropWhile, .dropUntil: "drop"
    case .first, .firstWhere: "first"
    case .last: "last"
    case .collect, .collectByCount, .collectByTime: "collect"
    }
  }

  private static func list(_ pipes: [PipeSpec]) -> String {
    pipes.map(\.operandText).joined(separator: ", ")
  }
}

extension PipeSpec.Overflow {
  fileprivate var arguments: [String] {
    switch self {
    case .dropOldest: []
    case .dropNewest: ["dropNewest"]
    case .fail(let error): ["fail", error.commandText]
    }
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
