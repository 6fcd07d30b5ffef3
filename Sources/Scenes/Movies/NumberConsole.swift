import Pipelines
import Staging

/// Makes publishers of numbers and subscribes to them.
@MainActor final class NumberConsole {
  enum Kind: String, CaseIterable {
    case future, deferred
  }

  enum Outcome: String, CaseIterable {
    case draws, fails
  }

  let drawing: NumberDrawing<StageClock>
  private var number: AnyPublisher<Int, any Error>?
  private var subscriptions: [AnyCancellable?] = []
  private let log: (String) -> Void

  struct NothingMade: Error, CustomStringConvertible {
    var description: String { "there is no publisher; 'futures.make' makes one" }
  }

  init(clock: StageClock, log: @escaping (String) -> Void) {
    drawing = NumberDrawing(clock: clock, seed: 0, log: log)
    self.log = log
  }

  func make(_ kind: Kind, _ outcome: Outcome, seed: UInt64) {
    drawing.reseed(seed)
    log("\(kind) made")
    let isFailing = outcome == .fails
    number =
      switch kind {
      case .future: drawing.future(failing: isFailing).eraseToAnyPublisher()
      case .deferred: drawing.deferred(failing: isFailing).eraseToAnyPublisher()
      }
  }

  /// Subscribes to the latest publisher.
  ///
  /// - Throws: `NothingMade`.
  func subscribe(retries: Int) throws {
    guard let number else { throw NothingMade() }
    let subscriber = "#\(subscriptions.count + 1)"
    log("\(subscriber) subscribes" + (retries > 0 ? ", retry(\(retries))" : ""))
    subscriptions.append(
      number.retry(retries).sink(
        receiveCompletion: { [log] in
          if case .failure = $0 { log("\(subscriber) gets a failure") }
        },
        receiveValue: { [log] in log("\(subscriber) gets \($0)") }
      )
    )
  }

  func leave(_ number: Int) {
    guard subscriptions.indices.contains(number - 1) else {
      return log("#\(number) is not there")
    }
    log("#\(number) leaves")
    subscriptions[number - 1] = nil
  }
}
