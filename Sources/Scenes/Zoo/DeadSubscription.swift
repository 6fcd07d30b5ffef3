import Exploring
import Observation

extension Specimen {
  static let deadSubscription = Specimen(
    name: "subscription dead after the first error",
    symptom: "The connection was lost for a moment, and the price has not changed since.",
    bug: DeadSubscription.scenario(DeadSubscription.Hasty.init),
    twin: DeadSubscription.scenario(DeadSubscription.Careful.init)
  )
}

/// A loop over a stream ends at the first error and is not restarted.
enum DeadSubscription {
  typealias Prices = AsyncThrowingStream<Int, any Error>

  @MainActor @Observable final class Hasty: Ticker {
    private(set) var price: Int?
    private let subscribe: @MainActor () -> Prices

    init(subscribe: @escaping @MainActor () -> Prices) { self.subscribe = subscribe }

    func follow() async {
      do {
        for try await price in subscribe() { self.price = price }
      } catch {}
    }
  }

  @MainActor @Observable final class Careful: Ticker {
    private(set) var price: Int?
    private let subscribe: @MainActor () -> Prices

    init(subscribe: @escaping @MainActor () -> Prices) { self.subscribe = subscribe }

    func follow() async {
      while !Task.isCancelled {
        do {
          for try await price in subscribe() { self.price = price }
        } catch {
          try? await Task.sleep(for: .seconds(1))
        }
      }
    }
  }

  @MainActor protocol Ticker: Sendable {
    var price: Int? { get }
    func follow() async
  }

  /// A price service for several subscribers.
  @MainActor private final class Exchange {
    struct Disconnected: Error {}

    private var subscribers: [Prices.Continuation] = []
    private(set) var price = 100

    func subscribe() -> Prices {
      let (prices, subscriber) = Prices.makeStream()
      subscriber.yield(price)
      subscribers.append(subscriber)
      return prices
    }

    func change(to price: Int) {
      self.price = price
      for subscriber in subscribers { subscriber.yield(price) }
    }

    func disconnect() {
      for subscriber in subscribers { subscriber.finish(throwing: Disconnected()) }
      subscribers = []
    }
  }

  static func scenario(
    _ makeTicker: @escaping @MainActor (@escaping @MainActor () -> Prices) -> some Ticker
  ) -> Specimen.Scenario {
    { run in
      let exchange = Exchange()
      let ticker = makeTicker(exchange.subscribe)
      let following = Task { await ticker.follow() }
      for price in 101...103 {
        try await Task.sleep(for: .seconds(3))
        if run.choose([false, true]) { exchange.disconnect() }
        try await Task.sleep(for: .seconds(3))
        exchange.change(to: price)
      }
      await run.settle()
      run.check(
        ticker.price == exchange.price,
        "it shows the current price",
        "it shows \(ticker.price ?? 0), but the price is \(exchange.price)"
      )
      following.cancel()
    }
  }
}
