/// Something that is loaded from elsewhere, whatever loads it.
@MainActor
public protocol RemoteContent<Value, Progress>: AnyObject {
  /// What is there once it is loaded.
  associatedtype Value
  /// How far loading has come: the fraction that is there, nil where nobody knows.
  associatedtype Progress = Double?

  /// Where loading stands.
  var loadingState: RemoteContentLoadingState<Value, Progress> { get }
  /// Told of each state after it was written.
  var changes: RemoteContentChanges<Value, Progress> { get }

  /// Begins to load, also again, after success or failure. What it does while a load is in progress
  /// is the content's own affair.
  func load()
  /// Ends what is in progress. Where that leaves the state is the content's own affair.
  func cancel()
}

/// Any content with these values, whatever loads it.
@MainActor
public final class AnyRemoteContent<Value, Progress>: RemoteContent {
  private let content: any RemoteContent<Value, Progress>

  /// Content that stands for this one, and retains it.
  public init(_ content: some RemoteContent<Value, Progress>) {
    self.content = content
  }

  /// Where the content's loading stands.
  public var loadingState: RemoteContentLoadingState<Value, Progress> { content.loadingState }
  /// The content's own: who observes here observes there.
  public var changes: RemoteContentChanges<Value, Progress> { content.changes }

  /// Begins to load the content, as it does itself.
  public func load() {
    content.load()
  }

  /// Ends what is in progress in the content, as it does itself.
  public func cancel() {
    content.cancel()
  }
}
