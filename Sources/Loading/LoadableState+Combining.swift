extension LoadableState {
  /// The same state with the loaded value transformed.
  ///
  /// - Throws: whatever `transform` throws.
  public func map<NewValue>(
    _ transform: (Value) throws -> NewValue
  ) rethrows -> LoadableState<NewValue> {
    switch self {
    case .absent: .absent
    case .loading: .loading
    case .error(let error): .error(error)
    case .loaded(let value): .loaded(try transform(value))
    }
  }

  /// The same state with the loaded value transformed; `absent` where the transform returns nil.
  ///
  /// - Throws: whatever `transform` throws.
  public func compactMap<NewValue>(
    _ transform: (Value) throws -> NewValue?
  ) rethrows -> LoadableState<NewValue> {
    guard case .loaded(let value) = self else { return map { _ in preconditionFailure() } }
    return try transform(value).map { .loaded($0) } ?? .absent
  }
}

/// All the values, once all are loaded.
///
/// Until then the state that matters most: the first error, else `loading` if any is loading, else
/// `absent`.
public func zip<each Value>(
  _ states: repeat LoadableState<each Value>
) -> LoadableState<(repeat each Value)> {
  var failure: (any Error)?
  var isLoading = false
  for state in repeat each states {
    failure = failure ?? state.error
    isLoading = isLoading || state.isLoading
  }
  if let failure { return .error(failure) }
  if isLoading { return .loading }
  do {
    return .loaded((repeat try valueIfLoaded(each states)))
  } catch {
    return .absent
  }
}

private struct NotLoaded: Error {}

private func valueIfLoaded<Value>(_ state: LoadableState<Value>) throws(NotLoaded) -> Value {
  guard let value = state.data else { throw NotLoaded() }
  return value
}
