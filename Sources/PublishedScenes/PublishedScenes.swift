public import Rehearsal
import Scenes

/// The scenes that come with Rehearse; those of four systems run code as it was published from 2019 to 2021. They have
/// the same names, commands and output, so the same transcripts pass.
public enum PublishedScenes {
  /// The scenes with published code.
  public static let twins: [Scene] = [
    .publishedGitHub, .publishedMovies, .publishedMoviesModels, .publishedRemoteContent,
    .publishedStore,
  ]

  /// All scenes, in the order of `scenes`.
  public static let all: [Scene] = Scenes.all.map { scene in
    twins.first { $0.name == scene.name } ?? scene
  }
}

extension Scene {
  /// Returns a scene with the same name and help, set up with published code.
  ///
  /// - Parameters:
  ///   - code: the published code, as the subject of a sentence.
  ///   - schedulers: the schedulers that it hard-codes.
  ///   - setUp: creates the system.
  /// - Returns: the scene.
  func published(
    _ code: String,
    on schedulers: String,
    setUp: @escaping @MainActor @Sendable (SceneBuilder) throws -> Void
  ) -> Scene {
    let paragraph =
      "The code is written as published: \(code), with \(schedulers) as hard-coded schedulers. They run in virtual time. 'rehearse' has the same scene with a scheduler as a parameter, and the same transcripts pass with both."
    return Scene(name, summary, details: [paragraph] + details, setUp: setUp)
  }
}
