import Loading

/// Ticks once a second without end. The stream can break; Retry restarts it.
@MainActor protocol RestartableDemo: AnyObject {
  var ticksDriver: LoadDriver<LoadableState<Int>> { get }
  func start()
  /// Breaks the stream, like a lost connection.
  func interfere()
}

struct ConnectionLost: Error, CustomStringConvertible {
  let description = "the connection was lost"
}

@MainActor final class RestartableWrapperDemo: RestartableDemo {
  @Loadable<Int> private var ticks
  private var ticker = Ticker()

  var ticksDriver: LoadDriver<LoadableState<Int>> { $ticks.driver }

  func start() {
    ticker = Ticker()
    $ticks.load { [ticker] yield in
      for try await tick in ticker.ticks { yield(.loaded(tick)) }
    }
  }

  func interfere() { ticker.end(with: ConnectionLost()) }
}

@MainActor final class RestartableClassDemo: RestartableDemo, LoadableSupport {
  private var ticks: LoadableState<Int> = .absent
  private var ticker = Ticker()

  var ticksDriver: LoadDriver<LoadableState<Int>> { driver(of: \.ticks) }

  func start() {
    ticker = Ticker()
    load(\.ticks) { [ticker] yield in
      for try await tick in ticker.ticks { yield(.loaded(tick)) }
    }
  }

  func interfere() { ticker.end(with: ConnectionLost()) }
}

/// Counts seconds while there is a subscriber.
@MainActor private struct Ticker {
  private let stream = AsyncThrowingStream.makeStream(of: Int.self)

  var ticks: AsyncThrowingStream<Int, any Error> {
    let continuation = stream.continuation
    let counting = Task {
      var seconds = 0
      while true {
        try await Task.sleep(for: .seconds(1))
        seconds += 1
        continuation.yield(seconds)
      }
    }
    continuation.onTermination = { _ in counting.cancel() }
    return stream.stream
  }

  func end(with error: any Error) { stream.continuation.finish(throwing: error) }
}
