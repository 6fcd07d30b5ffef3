/// Transforms the loaded value of a state, and combines several states into one (`zip`).
extension LoadableState {
  /// Returns the same state with the loaded value transformed.
  ///
  /// - Throws: the error of `transform`.
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

  /// Returns the same state with the loaded value transformed; `absent` if the transform returns
  /// nil.
  ///
  /// - Throws: the error of `transform`.
  public func compactMap<NewValue>(
    _ transform: (Value) throws -> NewValue?
  ) rethrows -> LoadableState<NewValue> {
    guard case .loaded(let value) = self else { return map { _ in preconditionFailure() } }
    return try transform(value).map { .loaded($0) } ?? .absent
  }
}

/// Returns all the values as soon as all are loaded.
///
/// Before that, returns the most important state: the first error, or `loading` if any state is
/// `loading`, or `absent`.
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
