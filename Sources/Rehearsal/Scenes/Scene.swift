/// A system that is ready to be rehearsed: what of it is looked at, what it can be told to do, and the
/// routes that answer it.
///
///     Scene("search", "A search field and its results.") { scene in
///       let model = SearchModel(session: .rehearsing(scene.server, on: scene.stage))
///       scene.add(.get("/search", .json("[]").after(.milliseconds(300))))
///       scene.property("query", of: model, \.query)
///       scene.command("type", "Types into the field.", .text("TEXT")) { model.query = $0 }
///     }
public struct Scene: Sendable {
  /// By which the command `scene` finds it.
  public let name: String
  /// One line, for the list of scenes.
  public let summary: String
  /// What else is to know, in paragraphs: for `help scene NAME`.
  public let details: [String]
  let setUp: @MainActor @Sendable (SceneBuilder) throws -> Void

  /// Describes a system, without making it yet.
  ///
  /// - Parameters:
  ///   - name: by which `scene` finds it.
  ///   - summary: one line, a sentence.
  ///   - details: paragraphs; lines are broken where they are printed.
  ///   - setUp: makes the system, on the stage and on the main actor, and says what of it the session
  ///     sees. Nothing is added when it throws, and what it threw is shown.
  public init(
    _ name: String,
    _ summary: String,
    details: [String] = [],
    setUp: @escaping @MainActor @Sendable (SceneBuilder) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.setUp = setUp
  }
}
