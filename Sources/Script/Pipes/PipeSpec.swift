package import RehearsalBase

/// A pipe as in a command: a source, and the stages from left to right.
package struct PipeSpec: Sendable, Equatable {
  package let source: Located<Source>
  package let stages: [Located<Stage>]

  package init(source: Located<Source>, stages: [Located<Stage>] = []) {
    self.source = source
    self.stages = stages
  }

  /// The source of values.
  package indirect enum Source: Sendable, Equatable {
    /// An input, a marble diagram, another pipe, or another member with values.
    case member(String)
    /// These values at once, and the end: `just 1`, `values 1, 2, 3`, `empty`.
    case values([JSONValue])
    case never
    case fail(ErrorSpec)
    /// Starts again for each subscriber, like a request.
    case load(LoadSpec)
    /// Starts once, when the pipe is created, and keeps its result for all subscribers.
    case future(LoadSpec)
    /// The numbers 1, 2, 3 and so on, one after each interval.
    case timer(Duration)
    /// Creates a pipe for each subscriber: `deferred (future …)`.
    case deferred(PipeSpec)
  }

  /// A load inside a pipe. It may contain `{value}` and `{value.FIELD}`.
  package struct LoadSpec: Sendable, Equatable {
    /// The alternative ends. Without a search, it ends with the first.
    package let outcomes: [Outcome]
    package let after: DurationRange?
    /// The type of the decoded body; nil for any JSON.
    package let type: TypeExpression?

    package enum Outcome: Sendable, Equatable {
      case value(JSONValue)
      case fail(ErrorSpec)
      case never
      case request(RequestSource)
    }

    package init(
      outcomes: [Outcome],
      after: DurationRange? = nil,
      type: TypeExpression? = nil
    ) {
      self.outcomes = outcomes
      self.after = after
      self.type = type
    }
  }

  /// A stage of a pipe. The names are Combine's.
  package indirect enum Stage: Sendable, Equatable {
    case map(Mapping)
    /// Drops null results.
    case compactMap(Transform)
    /// Fails if the value meets the condition; without one, if the result is null.
    case tryMap(Transform, ErrorSpec, if: Condition?)
    case replaceNil(JSONValue)
    case filter(Condition)
    case throttle(Duration, latest: Bool)
    case debounce(Duration)
    case delay(Duration)
    /// Without an error, it finishes at the limit.
    case timeout(Duration, ErrorSpec?)
    case removeDuplicates
    /// Needs publishers: `map (load …)` before it.
    case switchToLatest
    case flatMap(PipeSpec, maxPublishers: Int?)
    case buffer(Int, keepsFull: Bool, whenFull: Overflow)
    case receive(Queue)
    case subscribe(Queue)
    /// Prints these events.
    case handleEvents(Set<HandledEvent>)
    case retry(Int)
    case replaceError(JSONValue)
    case mapError(ErrorSpec)
    case `catch`(PipeSpec)
    case merge([PipeSpec])
    case combineLatest([PipeSpec])
    case zip([PipeSpec])
    case share
    /// Without a first value, it begins with the first value that comes in.
    case scan(Accumulation, from: JSONValue?)
    case reduce(Accumulation, from: JSONValue?)
    case count
    case replaceEmpty(JSONValue)
    case prepend(PipeSpec)
    case append(PipeSpec)
    case prefix(Int)
    case prefixWhile(Condition)
    case prefixUntil(PipeSpec)
    case dropFirst(Int)
    case dropWhile(Condition)
    case dropUntil(PipeSpec)
    case first
    case firstWhere(Condition)
    case last
    case collect
    case collectByCount(Int)
    case collectByTime(Duration, most: Int?)
  }

  /// The queue of a hop.
  package enum Queue: String, Sendable, CaseIterable {
    /// Keeps the order of values.
    case main
    /// May change the order of values.
    case background
  }

  /// What a full buffer does with a value.
  package enum Overflow: Sendable, Equatable {
    case dropOldest
    case dropNewest
    case fail(ErrorSpec)
  }

  /// An event of `handleEvents`, in Combine's order.
  package enum HandledEvent: String, Sendable, CaseIterable {
    case subscription, output, completion, cancel, request
  }

  /// A value made from another one.
  package enum Transform: Sendable, Equatable {
    /// A field, or a path such as `author.name`; the value itself if it is empty.
    case field([String])
    /// A value that may contain `{value}` and `{value.FIELD}`.
    case template(JSONValue)
  }

  package enum Mapping: Sendable, Equatable {
    case value(Transform)
    /// A publisher for each value.
    case pipe(PipeSpec)
  }

  /// A condition: `filter length >= 3`, `filter name == "Ann"`, `filter != null`.
  package struct Condition: Sendable, Equatable {
    /// Empty for the value itself. `length` of a text or a list is also a field.
    package let path: [String]
    package let comparison: Comparison
    package let operand: JSONValue

    package init(path: [String], comparison: Comparison, operand: JSONValue) {
      self.path = path
      self.comparison = comparison
      self.operand = operand
    }
  }

  package enum Comparison: String, Sendable, CaseIterable {
    case equal = "=="
    case unequal = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  /// The operation of `scan` and `reduce` on all values so far.
  package enum Accumulation: String, Sendable, CaseIterable {
    /// Their sum, their number, their concatenated texts, a list of them, the least, the greatest.
    case sum, count, join, list, min, max
  }
}
