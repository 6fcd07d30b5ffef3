@testable import Script

extension PipeSpec {
  /// Returns the pipe without the places of its parts in the text.
  var placeless: PipeSpec {
    PipeSpec(
      source: nowhere(source.value.placeless),
      stages: stages.map { nowhere($0.value.placeless) }
    )
  }
}

extension PipeSpec.Source {
  fileprivate var placeless: Self {
    switch self {
    case .load(let load): .load(load.placeless)
    case .future(let load): .future(load.placeless)
    case .deferred(let pipe): .deferred(pipe.placeless)
    case .member, .values, .never, .fail, .timer: self
    }
  }
}

extension PipeSpec.LoadSpec {
  fileprivate var placeless: Self {
    Self(outcomes: outcomes.map(\.placeless), after: after, type: type?.placeless)
  }
}

extension PipeSpec.LoadSpec.Outcome {
  fileprivate var placeless: Self {
    switch self {
    case .request(.spec(let spec)): .request(.spec(nowhere(spec.value)))
    case .request(.endpoint(let name)): .request(.endpoint(nowhere(name.value)))
    case .value, .fail, .never: self
    }
  }
}

extension PipeSpec.Stage {
  fileprivate var placeless: Self {
    switch self {
    case .map(.pipe(let pipe)): .map(.pipe(pipe.placeless))
    case .flatMap(let pipe, let most): .flatMap(pipe.placeless, maxPublishers: most)
    case .catch(let pipe): .catch(pipe.placeless)
    case .prepend(let pipe): .prepend(pipe.placeless)
    case .append(let pipe): .append(pipe.placeless)
    case .prefixUntil(let pipe): .prefixUntil(pipe.placeless)
    case .dropUntil(let pipe): .dropUntil(pipe.placeless)
    case .merge(let pipes): .merge(pipes.map(\.placeless))
    case .combineLatest(let pipes): .combineLatest(pipes.map(\.placeless))
    case .zip(let pipes): .zip(pipes.map(\.placeless))
    default: self
    }
  }
}

extension TypeExpression {
  fileprivate var placeless: TypeExpression {
    switch self {
    case .named(let name, _): .named(name, span: 0..<0)
    case .date(let format, _): .date(format, span: 0..<0)
    case .optional(let type): .optional(type.placeless)
    case .array(let type): .array(type.placeless)
    }
  }
}
