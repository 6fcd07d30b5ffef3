import Pipelines
import RehearsalBase
import Script

typealias ValuePublisher = AnyPublisher<JSONValue, any Error>

/// The output of a stage of a pipe, values or publishers of values, and which of both each stage accepts.
enum PipeFlow {
  case values(ValuePublisher)
  case publishers(AnyPublisher<ValuePublisher, any Error>)

  enum Kind {
    case values, publishers

    /// The kind as part of a sentence: "takes values, but gets publishers".
    var text: String {
      switch self {
      case .values: "values"
      case .publishers: "publishers"
      }
    }
  }

  /// The values. A pipe is checked before it is built, so its last stage has values.
  var values: ValuePublisher {
    guard case .values(let values) = self else {
      preconditionFailure("A pipe that was checked ends with values.")
    }
    return values
  }
}

extension PipeSpec.Stage {
  /// The kind of input that the stage needs; nil if it accepts both.
  var takes: PipeFlow.Kind? {
    switch self {
    case .switchToLatest: .publishers
    case .throttle, .debounce, .delay, .timeout, .retry, .share, .prefix, .dropFirst, .first, .last,
      .receive, .subscribe, .handleEvents:
      nil
    case .map, .compactMap, .tryMap, .replaceNil, .filter, .removeDuplicates, .flatMap,
      .replaceError, .mapError, .catch, .merge, .combineLatest, .zip, .scan, .reduce, .count,
      .replaceEmpty, .prepend, .append, .prefixWhile, .prefixUntil, .dropWhile, .dropUntil,
      .firstWhere, .collect, .collectByCount, .collectByTime, .buffer:
      .values
    }
  }

  /// The kind of output for a kind of input.
  func gives(_ kind: PipeFlow.Kind) -> PipeFlow.Kind {
    switch self {
    case .map(.pipe): .publishers
    case _ where takes == nil: kind
    default: .values
    }
  }

  /// Whether it sends values for which there is no demand.
  var sendsWithoutDemand: Bool {
    switch self {
    case .throttle, .debounce, .share, .combineLatest: true
    default: false
    }
  }

  /// The operator as in the pipe, if it limits the demand.
  var demandLimit: String? {
    switch self {
    case .flatMap(_, .some(let most)): "\(word) max \(most)"
    case .buffer(let size, keepsFull: true, _): "\(word) \(size) keepFull"
    default: nil
    }
  }
}

extension PipeSpec {
  /// The names of its source and stages in a log.
  var words: [String] { [source.value.word] + stages.map(\.value.word) }
}

extension PipeSpec.Source {
  /// Whether it is a load, which logs its own events.
  var isLoad: Bool {
    switch self {
    case .load, .future: true
    case .member, .values, .never, .fail, .timer, .deferred: false
    }
  }

  /// The name in a log.
  var word: String {
    switch self {
    case .member(let name): name
    case .values(let values): values.isEmpty ? "empty" : "values"
    case .never: "never"
    case .fail: "fail"
    case .load: "load"
    case .future: "future"
    case .timer: "timer"
    case .deferred: "deferred"
    }
  }
}
