import Pipelines
import RehearsalBase
import Script

typealias ValuePublisher = AnyPublisher<JSONValue, any Error>

/// What a stage hands on.
enum PipeFlow {
  case values(ValuePublisher)
  case publishers(AnyPublisher<ValuePublisher, any Error>)

  enum Kind {
    case values, publishers

    /// In a sentence: "takes values, but gets publishers".
    var text: String {
      switch self {
      case .values: "values"
      case .publishers: "publishers"
      }
    }
  }

  /// The values; a pipe was checked to have them before it was built.
  var values: ValuePublisher {
    guard case .values(let values) = self else {
      preconditionFailure("A pipe that was checked ends with values.")
    }
    return values
  }
}

extension PipeSpec.Stage {
  /// What it needs; nil where it takes either.
  var takes: PipeFlow.Kind? {
    switch self {
    case .switchToLatest: .publishers
    case .throttle, .debounce, .delay, .timeout, .retry, .share, .prefix, .dropFirst, .first, .last:
      nil
    case .map, .filter, .removeDuplicates, .flatMap, .replaceError, .catch, .merge, .combineLatest,
      .zip, .scan, .collect:
      .values
    }
  }

  /// What it hands on.
  func gives(_ kind: PipeFlow.Kind) -> PipeFlow.Kind {
    switch self {
    case .map(.pipe): .publishers
    case .throttle, .debounce, .delay, .timeout, .retry, .share, .prefix, .dropFirst, .first, .last:
      kind
    default: .values
    }
  }
}

extension PipeSpec {
  /// How its source and its stages are named in a log.
  var words: [String] { [source.value.word] + stages.map(\.value.word) }
}

extension PipeSpec.Source {
  /// Whether the log tells of it what a load does.
  var isLoad: Bool {
    switch self {
    case .load, .future: true
    case .member, .values, .never, .fail, .deferred: false
    }
  }

  /// How it is named in a log.
  var word: String {
    switch self {
    case .member(let name): name
    case .values(let values): values.isEmpty ? "empty" : "values"
    case .never: "never"
    case .fail: "fail"
    case .load: "load"
    case .future: "future"
    case .deferred: "deferred"
    }
  }
}
