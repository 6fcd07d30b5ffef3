import Exploring
import Observation

extension Specimen {
  static let overdraft = Specimen(
    name: "check, then act across an await",
    symptom: "Two purchases go through, and the balance is negative.",
    bug: Overdraft.scenario(Overdraft.Hasty.init),
    twin: Overdraft.scenario(Overdraft.Careful.init)
  )
}

/// A wallet checks the balance, awaits, and then subtracts: another purchase may have come first.
enum Overdraft {
  typealias Authorize = @MainActor (Int) async throws -> Void

  @MainActor @Observable final class Hasty: Wallet {
    private(set) var balance: Int
    private let authorize: Authorize

    init(balance: Int, authorize: @escaping Authorize) {
      self.balance = balance
      self.authorize = authorize
    }

    func pay(_ price: Int) async throws {
      guard price <= balance else { throw NotEnough() }
      try await authorize(price)
      balance -= price
    }
  }

  @MainActor @Observable final class Careful: Wallet {
    private(set) var balance: Int
    private let authorize: Authorize

    init(balance: Int, authorize: @escaping Authorize) {
      self.balance = balance
      self.authorize = authorize
    }

    func pay(_ price: Int) async throws {
      guard price <= balance else { throw NotEnough() }
      balance -= price
      do {
        try await authorize(price)
      } catch {
        balance += price
        throw error
      }
    }
  }

  @MainActor protocol Wallet: Sendable {
    var balance: Int { get }
    func pay(_ price: Int) async throws
  }

  private struct NotEnough: Error {}
  private struct Refused: Error {}

  static func scenario(
    _ makeWallet: @escaping @MainActor (Int, @escaping Authorize) -> some Wallet
  ) -> Specimen.Scenario {
    { run in
      let wallet = makeWallet(100) { _ in
        try await run.take(.seconds(1), .seconds(3))
        if run.choose([false, true]) { throw Refused() }
      }
      for _ in 1...2 {
        Task { try await wallet.pay(60) }
        try await Task.sleep(for: .seconds(2))
      }
      await run.settle()
      run.check(
        wallet.balance == 40 || wallet.balance == 100,
        "the balance is never negative",
        "the balance is \(wallet.balance)"
      )
    }
  }
}
