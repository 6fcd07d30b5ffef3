/// Thrown by a loading block, or by its `onInterrupt`, to cancel the load from within.
///
/// The policy says where that leaves the state.
public struct CancelLoadable: Error, Hashable {
  /// Carries nothing: which load is meant follows from where it is thrown.
  public init() {}
}

/// Thrown by a loading block, or by its `onInterrupt`, to reset the loadable to `absent`.
public struct ResetLoadable: Error, Hashable {
  /// Carries nothing: which load is meant follows from where it is thrown.
  public init() {}
}

/// Thrown by a process, or by its `onInterrupt`, to cancel it from within.
///
/// The policy says where that leaves the state.
public struct CancelProcess: Error, Hashable {
  /// Carries nothing: which process is meant follows from where it is thrown.
  public init() {}
}

/// Thrown by a process, or by its `onInterrupt`, to reset its state to `idle`.
public struct ResetProcess: Error, Hashable {
  /// Carries nothing: which process is meant follows from where it is thrown.
  public init() {}
}

/// Thrown by `onInterrupt` when a load has taken too long: an ordinary failure, with a name.
public struct TimeoutError: Error, Hashable {
  /// Carries no duration: two timeouts are equal, whatever their delays were.
  public init() {}
}
