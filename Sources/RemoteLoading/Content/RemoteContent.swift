/// Content that is loaded from elsewhere, in any way.
@MainActor
public protocol RemoteContent<Value, Progress>: AnyObject {
  /// The loaded value.
  associatedtype Value
  /// The progress: by default a fraction, nil if unknown.
  associatedtype Progress = Double?

  /// The state of loading.
  var loadingState: RemoteContentLoadingState<Value, Progress> { get }
  /// Receives each state after it was set.
  var changes: RemoteContentChanges<Value, Progress> { get }

  /// Starts a load, also after success or failure. The content decides what it does while another
  /// load is in progress.
  func load()
  /// Cancels the load in progress. The content decides the state.
  func cancel()
}

/// Type-erased content with these values.
@MainActor
public final class AnyRemoteContent<Value, Progress>: RemoteContent {
  private let content: any RemoteContent<Value, Progress>

  /// Wraps and retains content.
  public init(_ content: some RemoteContent<Value, Progress>) {
    self.content = content
  }

  /// The wrapped content's state.
  public var loadingState: RemoteContentLoadingState<Value, Progress> { content.loadingState }
  /// The wrapped content's changes, with the same observers.
  public var changes: RemoteContentChanges<Value, Progress> { content.changes }

  /// Starts a load of the wrapped content.
  public func load() {
    content.load()
  }

  /// Cancels the load of the wrapped content.
  public func cancel() {
    content.cancel()
  }
}
