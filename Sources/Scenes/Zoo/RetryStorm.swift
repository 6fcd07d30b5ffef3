import Exploring
import Observation

extension Specimen {
  static let retryStorm = Specimen(
    name: "retry storm",
    symptom:
      "The phone grows hot while the server is down, and the server cannot start because of all the requests.",
    bug: RetryStorm.scenario(RetryStorm.Hasty.init),
    twin: RetryStorm.scenario(RetryStorm.Careful.init)
  )
}

/// A connection retries immediately after each failure.
enum RetryStorm {
  typealias Dial = @MainActor () async throws -> Void

  @MainActor @Observable final class Hasty: Connection {
    private(set) var isConnected = false
    private let dial: Dial

    init(dial: @escaping Dial) { self.dial = dial }

    func connect() async {
      while !isConnected, !Task.isCancelled {
        do {
          try await dial()
          isConnected = true
        } catch {}
      }
    }
  }

  @MainActor @Observable final class Careful: Connection {
    private(set) var isConnected = false
    private let dial: Dial

    init(dial: @escaping Dial) { self.dial = dial }

    func connect() async {
      var pause = Duration.seconds(1)
      while !isConnected, !Task.isCancelled {
        do {
          try await dial()
          isConnected = true
        } catch {
          try? await Task.sleep(for: pause)
          pause = min(pause * 2, .seconds(60))
        }
      }
    }
  }

  @MainActor protocol Connection: Sendable {
    var isConnected: Bool { get }
    func connect() async
  }

  private struct ServerDown: Error {}

  static func scenario(
    _ makeConnection: @escaping @MainActor (@escaping Dial) -> some Connection
  ) -> Specimen.Scenario {
    { run in
      let isUp = ContinuousClock.now.advanced(by: run.choose([.zero, .seconds(20), .seconds(60)]))
      var requests = 0
      let connection = makeConnection {
        requests += 1
        try await Task.sleep(for: .milliseconds(200))
        if ContinuousClock.now < isUp { throw ServerDown() }
      }
      await connection.connect()
      run.check(connection.isConnected, "it connects at last")
      run.check(
        requests <= 10,
        "a server that is down gets few requests",
        "it got \(requests) requests"
      )
    }
  }
}
