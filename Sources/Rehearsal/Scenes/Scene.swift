/// A system that is ready to be rehearsed: members that load from sources of their own, what they can
/// be told to do, and the routes that answer them.
///
///     Scene("posts", "A list of posts.") { scene in
///       let client = RemoteClient(scene.transport(for: "posts"))
///       scene.add(Route(…))
///       try scene.content("posts", DecodableRemoteContent(client, url: …, type: [Post].self))
///     }
package struct Scene: Sendable {
  package let name: String
  /// One line, for the list of scenes.
  package let summary: String
  /// What else is to know, in paragraphs: for `help scene NAME`.
  package let details: [String]
  let setUp: @MainActor @Sendable (SceneBuilder) throws -> Void

  /// - Parameters:
  ///   - name: by which `scene` finds it.
  ///   - summary: one line, a sentence.
  ///   - details: paragraphs; lines are broken where they are printed.
  ///   - setUp: makes the system and adds it to the stage. Nothing is added when it throws.
  package init(
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
