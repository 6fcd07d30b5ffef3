import Exploring
import Observation

extension Specimen {
  static let lostCancellation = Specimen(
    name: "lost cancellation",
    symptom: "The user has left the player, and then the music begins.",
    bug: LostCancellation.scenario(LostCancellation.Hasty.init),
    twin: LostCancellation.scenario(LostCancellation.Careful.init)
  )
}

/// A player stores the task that plays, but not the one that looks up the song. Closing the player
/// during the lookup cancels nothing.
enum LostCancellation {
  typealias Song = Duration
  typealias Resolve = @MainActor () async throws -> Song

  @MainActor @Observable final class Hasty: Player {
    private(set) var isPlaying = false
    private let resolve: Resolve
    private var playing: Task<Void, any Error>?

    init(resolve: @escaping Resolve) { self.resolve = resolve }

    func open() {
      Task {
        let song = try await resolve()
        playing = Task {
          isPlaying = true
          try await Task.sleep(for: song)
          isPlaying = false
        }
      }
    }

    func close() {
      playing?.cancel()
      isPlaying = false
    }
  }

  @MainActor @Observable final class Careful: Player {
    private(set) var isPlaying = false
    private let resolve: Resolve
    private var playing: Task<Void, any Error>?

    init(resolve: @escaping Resolve) { self.resolve = resolve }

    func open() {
      playing = Task {
        let song = try await resolve()
        try Task.checkCancellation()
        isPlaying = true
        try await Task.sleep(for: song)
        isPlaying = false
      }
    }

    func close() {
      playing?.cancel()
      isPlaying = false
    }
  }

  @MainActor protocol Player: Sendable {
    var isPlaying: Bool { get }
    func open()
    func close()
  }

  static func scenario(
    _ makePlayer: @escaping @MainActor (@escaping Resolve) -> some Player
  ) -> Specimen.Scenario {
    { run in
      let player = makePlayer {
        try await run.take(.seconds(1), .seconds(2), .seconds(3))
        return .seconds(180)
      }
      player.open()
      try await Task.sleep(for: .seconds(2))
      player.close()
      try await Task.sleep(for: .seconds(5))
      run.check(!player.isPlaying, "nothing plays once the player is closed")
      await run.settle()
    }
  }
}
