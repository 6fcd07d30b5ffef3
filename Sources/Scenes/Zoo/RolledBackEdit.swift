import Exploring
import Observation

extension Specimen {
  static let rolledBackEdit = Specimen(
    name: "optimistic update rolled back over a newer one",
    symptom:
      "The user gives five stars, and a moment later they are gone, although the server has them.",
    bug: RolledBackEdit.scenario(RolledBackEdit.Hasty.init),
    twin: RolledBackEdit.scenario(RolledBackEdit.Careful.init)
  )
}

/// A rating is shown immediately. If saving fails, the previous rating is restored, even if a newer
/// one is shown by then.
enum RolledBackEdit {
  typealias Save = @MainActor (Int) async throws -> Void

  @MainActor @Observable final class Hasty: Rating {
    private(set) var stars = 0
    private let save: Save

    init(save: @escaping Save) { self.save = save }

    func rate(_ rating: Int) async {
      let before = stars
      stars = rating
      do {
        try await save(rating)
      } catch {
        stars = before
      }
    }
  }

  @MainActor @Observable final class Careful: Rating {
    private(set) var stars = 0
    private let save: Save
    private var edits = 0
    private var underWay = 0
    private var saved = (edit: 0, stars: 0)

    init(save: @escaping Save) { self.save = save }

    func rate(_ rating: Int) async {
      edits += 1
      underWay += 1
      let edit = edits
      stars = rating
      if (try? await save(rating)) != nil, edit > saved.edit { saved = (edit, rating) }
      underWay -= 1
      if underWay == 0 { stars = saved.stars }
    }
  }

  @MainActor protocol Rating: Sendable {
    var stars: Int { get }
    func rate(_ rating: Int) async
  }

  private struct Unsaved: Error {}

  static func scenario(
    _ makeRating: @escaping @MainActor (@escaping Save) -> some Rating
  ) -> Specimen.Scenario {
    { run in
      var saved = 0
      let rating = makeRating { stars in
        let isRefused = run.choose([false, true])
        if !isRefused { saved = stars }
        try await run.take(.seconds(1), .seconds(4))
        if isRefused { throw Unsaved() }
      }
      for stars in [3, 5] {
        Task { await rating.rate(stars) }
        try await Task.sleep(for: .seconds(2))
      }
      await run.settle()
      run.check(
        rating.stars == saved,
        "finally it shows the server's rating",
        "it shows \(rating.stars), but the server has \(saved)"
      )
    }
  }
}
