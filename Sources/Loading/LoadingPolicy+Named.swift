/// Defines the named policies, such as `latest`, `queue` and `processed`.
extension LoadingPolicy {
  /// The default: the latest attempt wins, a cancellation restores the previous state, and no late
  /// answer is written.
  public static let latest = LoadingPolicy(name: "latest")

  /// Like `latest`, but a start is refused while an attempt is in flight.
  public static let ignore = latest.named("ignore") { $0.whileLoading = .ignore }

  /// Like `latest`, but a start shares the attempt in flight.
  public static let join = latest.named("join") { $0.whileLoading = .join }

  /// Like `latest`, but attempts run one after the other.
  public static let queue = latest.named("queue") { $0.whileLoading = .queue }

  /// Like `latest`, but attempts run concurrently, and the last answer to arrive stays.
  public static let parallel = latest.named("parallel") { $0.whileLoading = .parallel }

  /// Reproduces the classes of Processed 2.2, including their peculiarities.
  public static let processed = latest.named("processed") {
    $0.cancelLanding = .inFlight
    $0.lateAnswers = .written
    $0.deadlines = .afterBlock
    $0.manualWrites = .leave
    $0.reach = .storedTaskUntilAnyEnds
    $0.asyncStarts = .leaveStored
    $0.sharing = .instancesOfType
    $0.keepsValueDuringReload = false
    $0.keepsValueAfterError = false
    $0.knowsPlatformCancellation = false
  }

  /// Reproduces the property wrappers of Processed 2.2, including their peculiarities.
  public static let processedWrapper = processed.named("processedWrapper") {
    $0.lateAnswers = .valuesDropped
    $0.manualWrites = .cancel
    $0.reach = .storedTask
    $0.asyncStarts = .cancelStored
    $0.sharing = .none
  }

  /// Reproduces RemoteContentView: a start while loading is refused, cancelling returns to the
  /// initial state, and a reload loses the content.
  public static let remoteContent = ignore.named("remoteContent") {
    $0.cancelLanding = .resting
    $0.keepsValueDuringReload = false
    $0.keepsValueAfterError = false
  }

  /// Reproduces the article about RemoteContentView: a start restarts, and `cancel` removes
  /// content.
  public static let remoteContentArticle = remoteContent.named("remoteContentArticle") {
    $0.whileLoading = .restart
    $0.cancelWhenSettled = .wipe
    $0.rewritesInFlight = true
  }

  /// All named policies, in the order of the documentation.
  public static let all: [LoadingPolicy] = [
    latest, ignore, join, queue, parallel,
    processed, processedWrapper, remoteContent, remoteContentArticle,
  ]

  /// Returns the policy with this name; nil if there is none.
  public static func named(_ name: String) -> LoadingPolicy? {
    all.first { $0.name == name }
  }

  private func named(_ name: String, changes: (inout LoadingPolicy) -> Void) -> LoadingPolicy {
    var policy = self
    policy.name = name
    changes(&policy)
    return policy
  }
}
