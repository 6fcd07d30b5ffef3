import Loading
import RemoteLoading

/// A process of two seconds that succeeds or fails, as selected.
@MainActor protocol SimpleProcessDemo: AnyObject {
  var jobDriver: LoadDriver<ProcessState<SingleProcess>> { get }
  func runSuccess()
  func runFailure()
  func reset()
}

@MainActor final class SimpleProcessWrapperDemo: SimpleProcessDemo {
  @LoadingProcess private var job

  var jobDriver: LoadDriver<ProcessState<SingleProcess>> { $job.driver }

  func runSuccess() {
    $job.run { try await Task.sleep(for: .seconds(2)) }
  }

  func runFailure() {
    $job.run {
      try await Task.sleep(for: .seconds(2))
      throw RemoteError.status(500)
    }
  }

  func reset() { $job.reset() }
}

@MainActor final class SimpleProcessClassDemo: SimpleProcessDemo, ProcessSupport {
  private var job: SingleProcessState = .idle

  var jobDriver: LoadDriver<ProcessState<SingleProcess>> { driver(of: \.job) }

  func runSuccess() {
    run(\.job) { try await Task.sleep(for: .seconds(2)) }
  }

  func runFailure() {
    run(\.job) {
      try await Task.sleep(for: .seconds(2))
      throw RemoteError.status(500)
    }
  }

  func reset() { reset(\.job) }
}
