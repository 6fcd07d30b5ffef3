/// A system that can be rehearsed: the state that the session shows, the commands that the system
/// accepts, and the routes that answer it.
///
///     Scene("search", "A search field and its results.") { scene in
///       let model = SearchModel(session: .rehearsing(scene.server, on: scene.stage))
///       scene.add(.get("/search", .json("[]").after(.milliseconds(300))))
///       scene.property("query", of: model, \.query)
///       scene.command("type", "Types into the field.", .text("TEXT")) { model.query = $0 }
///     }
public struct Scene: Sendable {
  /// The name for the command `scene`.
  public let name: String
  /// One line, for the list of scenes.
  public let summary: String
  /// More paragraphs, for `help scene NAME`.
  public let details: [String]
  let setUp: @MainActor @Sendable (SceneBuilder) throws -> Void

  /// Describes a system, without creating it.
  ///
  /// - Parameters:
  ///   - name: the name for the command `scene`.
  ///   - summary: one sentence on one line.
  ///   - details: paragraphs without line breaks.
  ///   - setUp: creates the system, on the stage and on the main actor, and declares what the
  ///     session shows. If it throws, nothing is added, and the error is printed.
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
