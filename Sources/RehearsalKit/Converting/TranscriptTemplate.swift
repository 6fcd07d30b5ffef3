/// A transcript to begin with: commands that show something, to be replaced by one's own.
struct TranscriptTemplate: Sendable {
  let name: String
  /// What it shows, in a few words.
  let summary: String
  private let comment: String
  private let commands: String

  /// The text before it is played: a comment and the commands.
  var text: String {
    let lines = commands.split(separator: "\n").map { $0.hasPrefix("-- ") ? $0 : "> " + $0 }
    return "# \(comment)\n" + lines.map { $0 + "\n" }.joined()
  }

  /// All but that of a scene, in the order in which they are listed.
  static let all = [
    TranscriptTemplate(
      name: "loadable",
      summary: "a value that is loaded, and loaded once more",
      comment: "A second load replaces the first; what the first answers too late is dropped.",
      commands: """
        loadable profile: String
        load profile "old" after 3s uncancellable
        wait 1s
        load profile "new" after 1s
        settle
        expect profile loaded "new"
        """
    ),
    TranscriptTemplate(
      name: "process",
      summary: "a process that fails, and is run again",
      comment: "A process that failed can be run again.",
      commands: """
        process upload
        run upload fail "no space" after 1s
        settle
        run upload after 2s
        settle
        """
    ),
    TranscriptTemplate(
      name: "http",
      summary: "routes of a mock server, and a load from them",
      comment: "After a 503 the load is tried again.",
      commands: """
        route GET /users/{id} 503, 200 json {"name": "Ann"} after 300ms
        shape User { name: String }
        loadable user: User
        load user from /users/7 retry 1 backoff 1s
        settle
        requests
        """
    ),
    TranscriptTemplate(
      name: "pipe",
      summary: "an input, and a pipeline behind it",
      comment: "Only what is typed last before a pause is looked for.",
      commands: """
        input query
        pipe calm = query | debounce 300ms | removeDuplicates
        enter query "swift" every 100ms
        settle
        """
    ),
    TranscriptTemplate(
      name: "empty",
      summary: "a comment and one command",
      comment: "What this proves, in a sentence.",
      commands: "now"
    ),
  ]

  /// One that sets up a scene.
  static func scene(_ name: String) -> TranscriptTemplate {
    TranscriptTemplate(
      name: "scene",
      summary: "a scene of this program",
      comment: "What this proves about the scene '\(name)', in a sentence.",
      commands: "scene \(name)\nlist\nsettle"
    )
  }
}
