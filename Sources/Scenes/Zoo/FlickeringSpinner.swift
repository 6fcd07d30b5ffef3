import Exploring
import Observation

extension Specimen {
  static let flickeringSpinner = Specimen(
    name: "Bool activity under overlap",
    symptom: "The spinner goes away, and a moment later something changes on the screen.",
    bug: FlickeringSpinner.scenario(FlickeringSpinner.Hasty.init),
    twin: FlickeringSpinner.scenario(FlickeringSpinner.Careful.init)
  )
}

/// One Bool represents all activity, and the first end clears it.
enum FlickeringSpinner {
  @MainActor @Observable final class Hasty: Activity {
    private(set) var isActive = false

    func track(_ work: @MainActor () async throws -> Void) async rethrows {
      isActive = true
      defer { isActive = false }
      try await work()
    }
  }

  @MainActor @Observable final class Careful: Activity {
    private var count = 0
    var isActive: Bool { count > 0 }

    func track(_ work: @MainActor () async throws -> Void) async rethrows {
      count += 1
      defer { count -= 1 }
      try await work()
    }
  }

  @MainActor protocol Activity: Sendable {
    var isActive: Bool { get }
    func track(_ work: @MainActor () async throws -> Void) async rethrows
  }

  static func scenario(
    _ makeActivity: @escaping @MainActor () -> some Activity
  ) -> Specimen.Scenario {
    { run in
      let activity = makeActivity()
      var underWay = 0
      @MainActor func look() {
        run.check(
          activity.isActive == (underWay > 0),
          "the spinner turns while any load is in flight",
          "\(underWay) in flight, and it \(activity.isActive ? "turns" : "does not")"
        )
      }
      for _ in 1...2 {
        Task {
          try await activity.track {
            underWay += 1
            try await run.take(.seconds(1), .seconds(3))
            underWay -= 1
          }
          look()
        }
        try await Task.sleep(for: .seconds(2))
      }
      await run.settle()
      look()
    }
  }
}
