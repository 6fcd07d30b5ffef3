package import RehearsalBase

/// A pipe as it is written: a source, and the stages that its values go through, left to right.
package struct PipeSpec: Sendable, Equatable {
  package let source: Located<Source>
  package let stages: [Located<Stage>]

  package init(source: Located<Source>, stages: [Located<Stage>] = []) {
    self.source = source
    self.stages = stages
  }

  /// Where values come from.
  package indirect enum Source: Sendable, Equatable {
    /// An input, a marble diagram, another pipe, or any member that has values.
    case member(String)
    /// These, at once, and then the end: `just 1`, `values 1, 2, 3`, `empty`.
    case values([JSONValue])
    case never
    case fail(ErrorSpec)
    /// Begins anew for each subscriber, as a request does.
    case load(LoadSpec)
    /// Begins when the pipe is made, once, and keeps its result for every subscriber.
    case future(LoadSpec)
    /// Made anew for each subscriber: `deferred (future …)`.
    case deferred(PipeSpec)
  }

  /// A load inside a pipe. `{value}` and `{value.FIELD}` in it stand for what came in.
  package struct LoadSpec: Sendable, Equatable {
    /// How it may end: a plain load as the first says.
    package let outcomes: [Outcome]
    package let after: DurationRange?
    /// What a request's body is decoded as; nil: any JSON.
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

  /// What is done with what comes in. The names are Combine's.
  package indirect enum Stage: Sendable, Equatable {
    case map(Mapping)
    case filter(Condition)
    case throttle(Duration, latest: Bool)
    case debounce(Duration)
    case delay(Duration)
    /// Without an error it ends as finished.
    case timeout(Duration, ErrorSpec?)
    case removeDuplicates
    /// Needs publishers: `map (load …)` before it.
    case switchToLatest
    case flatMap(PipeSpec, maxPublishers: Int?)
    case retry(Int)
    case replaceError(JSONValue)
    case `catch`(PipeSpec)
    case merge([PipeSpec])
    case combineLatest([PipeSpec])
    case zip([PipeSpec])
    case share
    case scan(Accumulation)
    case prefix(Int)
    case dropFirst(Int)
    case first
    case last
    case collect
  }

  package enum Mapping: Sendable, Equatable {
    /// A field, or a path to one, like `author.name`.
    case field([String])
    /// A value in which `{value}` and `{value.FIELD}` stand for what came in.
    case template(JSONValue)
    /// A publisher for each value.
    case pipe(PipeSpec)
  }

  /// `filter length >= 3`, `filter name == "Ann"`, `filter != null`.
  package struct Condition: Sendable, Equatable {
    /// Empty for the value itself; `length` of a text or a list counts as a field.
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

  /// What `scan` makes of all values so far.
  package enum Accumulation: String, Sendable, CaseIterable {
    /// Their sum, how many they are, their texts in a row, a list of them, the least, the greatest.
    case sum, count, join, list, min, max
  }
}
