/// Thrown by a loading block, or by its `onInterrupt`, to cancel the load from within.
public struct CancelLoadable: Error, Hashable {
  public init() {}
}

/// Thrown by a loading block, or by its `onInterrupt`, to reset the loadable to `absent`.
public struct ResetLoadable: Error, Hashable {
  public init() {}
}

/// Thrown by a process, or by its `onInterrupt`, to cancel it from within.
public struct CancelProcess: Error, Hashable {
  public init() {}
}

/// Thrown by a process, or by its `onInterrupt`, to reset its state to `idle`.
public struct ResetProcess: Error, Hashable {
  public init() {}
}

/// Thrown by `onInterrupt` when a load has taken too long: an ordinary failure, with a name.
public struct TimeoutError: Error, Hashable {
  public init() {}
}
