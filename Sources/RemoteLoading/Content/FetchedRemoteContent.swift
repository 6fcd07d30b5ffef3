public import Loading
public import Observation

/// Content that a client fetches by one request, and that is made of the response.
///
/// What a second load and `cancel` do is the policy's: by default a load is refused while one is in
/// progress, cancelling it returns to the initial state, and content that is there stays there.
/// A request goes on when its content is gone; `cancel` first.
@MainActor
public class FetchedRemoteContent<Value>: RemoteContent, Observable {
  /// Its progress is the fraction that is there, from 0 to 1; nil where nobody knows.
  public typealias State = RemoteContentLoadingState<Value, Double?>

  /// Told of each state after it was written, also where it is the same again.
  public let changes = RemoteContentChanges<Value, Double?>()
  /// To observe attempts, or to change the policy.
  public private(set) lazy var driver = makeDriver()

  private let client: RemoteClient
  private let request: RemoteRequest
  private let read: (RemoteResponse) throws -> Value
  private let policy: LoadingPolicy
  private var state = State.initial
  private let registrar = ObservationRegistrar()

  /// Content that is not asked for yet: `load` sends the request.
  ///
  /// - Parameters:
  ///   - client: fetches the response.
  ///   - request: what to ask.
  ///   - policy: what happens where there is a choice.
  ///   - read: makes the value of a response; what it throws is the failure.
  public init(
    _ client: RemoteClient,
    _ request: RemoteRequest,
    policy: LoadingPolicy = .remoteContent,
    reading read: @escaping (RemoteResponse) throws -> Value
  ) {
    self.client = client
    self.request = request
    self.policy = policy
    self.read = read
  }

  /// Where loading stands. Observation sees it change.
  public var loadingState: State {
    registrar.access(self, keyPath: \.loadingState)
    return state
  }

  /// Begins to load, as far as the policy lets it.
  public func load() {
    driver.start(nil) { [client, request, read] context in
      var last: Double?
      let response = try await client.fetch(request) { progress in
        guard let fraction = progress.fraction, fraction != last else { return }
        last = fraction
        context.yield(.inProgress(fraction))
      }
      return try read(response)
    }
  }

  /// Ends the request in progress; the policy says where that leaves the state.
  public func cancel() {
    driver.cancel()
  }

  private func makeDriver() -> LoadDriver<State> {
    LoadDriver(
      policy: policy,
      reading: { [weak self] in self?.state },
      writing: { [weak self] in self?.write($0) }
    )
  }

  private func write(_ new: State) {
    registrar.withMutation(of: self, keyPath: \.loadingState) { state = new }
    changes.send(new)
  }
}
