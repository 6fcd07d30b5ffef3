import Exploring
import Observation

extension Specimen {
  static let doubleSubmit = Specimen(
    name: "double submit",
    symptom: "The user taps 'Order' twice, and gets the item twice.",
    bug: DoubleSubmit.scenario(DoubleSubmit.Hasty.init),
    twin: DoubleSubmit.scenario(DoubleSubmit.Careful.init)
  )
}

/// A form locks itself when it sends the order, but not while it checks the address.
enum DoubleSubmit {
  @MainActor struct Shop {
    let isValid: @MainActor () async throws -> Bool
    let order: @MainActor () async throws -> Void
  }

  @MainActor @Observable final class Hasty: Form {
    private(set) var isSubmitting = false
    private let shop: Shop

    init(shop: Shop) { self.shop = shop }

    func submit() async throws {
      guard !isSubmitting, try await shop.isValid() else { return }
      isSubmitting = true
      defer { isSubmitting = false }
      try await shop.order()
    }
  }

  @MainActor @Observable final class Careful: Form {
    private(set) var isSubmitting = false
    private let shop: Shop

    init(shop: Shop) { self.shop = shop }

    func submit() async throws {
      guard !isSubmitting else { return }
      isSubmitting = true
      defer { isSubmitting = false }
      guard try await shop.isValid() else { return }
      try await shop.order()
    }
  }

  @MainActor protocol Form: Sendable {
    func submit() async throws
  }

  static func scenario(
    _ makeForm: @escaping @MainActor (Shop) -> some Form
  ) -> Specimen.Scenario {
    { run in
      var orders = 0
      let form = makeForm(
        Shop {
          try await Task.sleep(for: .milliseconds(200))
          return true
        } order: {
          orders += 1
          run.note("order \(orders)")
          try await Task.sleep(for: .seconds(1))
        }
      )
      Task { try await form.submit() }
      try await Task.sleep(for: .milliseconds(100))
      run.note("nothing moves")
      try await Task.sleep(for: .milliseconds(100))
      run.note("taps again")
      Task { try await form.submit() }
      await run.settle()
      run.check(orders == 1, "the item is ordered once", "it is ordered \(orders) times")
    }
  }
}
