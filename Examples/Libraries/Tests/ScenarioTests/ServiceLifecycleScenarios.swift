import Logging
import RehearsalTesting
import ServiceLifecycle
import Testing

/// Shrunk violations of swift-service-lifecycle, in virtual time.
@Suite(.rehearsed) struct ServiceLifecycleScenarios {
  /// Ends after some time, even if it is told to shut down.
  struct Sleeper: Service {
    let time: Duration
    var endsAtCancellation = true
    var error: Failure?

    func run() async throws {
      let sleep = Task { [time] in try await Task.sleep(for: time) }
      await withTaskCancellationHandler {
        _ = await sleep.result
      } onCancel: {
        if endsAtCancellation { sleep.cancel() }
      }
      if let error { throw error }
    }
  }

  let logger = Logger(label: "none") { _ in SwiftLogNoOpLogHandler() }

  @Test func `an ignored end makes a shutdown fail`() async throws {
    let group = ServiceGroup(
      configuration: .init(
        services: [
          .init(service: Sleeper(time: .milliseconds(50)), successTerminationBehavior: .ignore),
          .init(service: Sleeper(time: .milliseconds(100))),
        ],
        logger: logger
      )
    )
    await group.triggerGracefulShutdown()
    let result = await Result.catching { try await group.run() }
    withKnownIssue { #expect(!result.isFailure) }
  }

  @Test func `an error after the time limit is lost`() async throws {
    let failing = Sleeper(time: .milliseconds(100), endsAtCancellation: false, error: Failure())
    var configuration = ServiceGroupConfiguration(
      services: [.init(service: Sleeper(time: .seconds(1))), .init(service: failing)],
      logger: logger
    )
    configuration.maximumGracefulShutdownDuration = .milliseconds(50)
    let group = ServiceGroup(configuration: configuration)
    await group.triggerGracefulShutdown()
    let result = await Result.catching { try await group.run() }
    withKnownIssue { #expect(result.isFailure) }
  }
}
