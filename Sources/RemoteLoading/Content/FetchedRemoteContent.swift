public import Loading
public import Observation

/// Content that a client fetches with one request and creates from the response.
///
/// The policy determines the effect of a second load and of `cancel`. By default, a load has no
/// effect while another one is in progress, cancelling it returns to the initial state, and
/// existing content stays. A request continues after its content was released; call `cancel`
/// before.
@MainActor
public class FetchedRemoteContent<Value>: RemoteContent, Observable {
  /// The progress is a fraction from 0 to 1, nil if unknown.
  public typealias State = RemoteContentLoadingState<Value, Double?>

  /// Receives each state after it was set, even if it is the same as before.
  public let changes = RemoteContentChanges<Value, Double?>()
  /// The driver, for observing attempts and changing the policy.
  public private(set) lazy var driver = makeDriver()

  private let client: RemoteClient
  private let request: RemoteRequest
  private let read: (RemoteResponse) throws -> Value
  private let policy: LoadingPolicy
  private var state = State.initial
  private let registrar = ObservationRegistrar()

  /// Creates content without requesting it: `load` sends the request.
  ///
  /// - Parameters:
  ///   - client: fetches the response.
  ///   - request: the request.
  ///   - policy: the handling of overlapping loads, cancellation and existing content.
  ///   - read: creates the value from a response. An error that it throws is the failure.
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

  /// The state of loading. Observation tracks it.
  public var loadingState: State {
    registrar.access(self, keyPath: \.loadingState)
    return state
  }

  /// Starts a load, if the policy allows it.
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

  /// Cancels the request in progress. The policy determines the state.
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
