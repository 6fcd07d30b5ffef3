/// Something that is loaded from elsewhere, whatever loads it.
@MainActor
public protocol RemoteContent<Value, Progress>: AnyObject {
  associatedtype Value
  /// How far loading has come: the fraction that is there, nil where nobody knows.
  associatedtype Progress = Double?

  var loadingState: RemoteContentLoadingState<Value, Progress> { get }
  /// Told of each state after it was written.
  var changes: RemoteContentChanges<Value, Progress> { get }

  /// Begins to load, also again, after success or failure.
  func load()
  /// Ends what is in progress.
  func cancel()
}

/// Any content with these values, whatever loads it.
@MainActor
public final class AnyRemoteContent<Value, Progress>: RemoteContent {
  private let content: any RemoteContent<Value, Progress>

  public init(_ content: some RemoteContent<Value, Progress>) {
    self.content = content
  }

  public var loadingState: RemoteContentLoadingState<Value, Progress> { content.loadingState }
  public var changes: RemoteContentChanges<Value, Progress> { content.changes }

  public func load() {
    content.load()
  }

  public func cancel() {
    content.cancel()
  }
}
