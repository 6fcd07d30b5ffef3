/// An error that a loading block, or its `onInterrupt`, throws to cancel the load from within.
///
/// The policy determines the state after that.
public struct CancelLoadable: Error, Hashable {
  /// Makes the error. It needs no content: it applies to the load that throws it.
  public init() {}
}

/// An error that a loading block, or its `onInterrupt`, throws to reset the loadable to `absent`.
public struct ResetLoadable: Error, Hashable {
  /// Makes the error. It needs no content: it applies to the load that throws it.
  public init() {}
}

/// An error that a process, or its `onInterrupt`, throws to cancel it from within.
///
/// The policy determines the state after that.
public struct CancelProcess: Error, Hashable {
  /// Makes the error. It needs no content: it applies to the process that throws it.
  public init() {}
}

/// An error that a process, or its `onInterrupt`, throws to reset its state to `idle`.
public struct ResetProcess: Error, Hashable {
  /// Makes the error. It needs no content: it applies to the process that throws it.
  public init() {}
}

/// An error that `onInterrupt` throws when a load has taken too long: an ordinary failure.
public struct TimeoutError: Error, Hashable {
  /// Makes the error. It has no duration, so any two timeouts are equal.
  public init() {}
}
