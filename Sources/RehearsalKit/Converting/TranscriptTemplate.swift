/// Commands for a new transcript, which the user replaces by their own.
struct TranscriptTemplate: Sendable {
  let name: String
  /// A noun phrase for `--help`.
  let summary: String
  private let comment: String
  private let commands: String

  /// A comment and the commands, without output.
  var text: String {
    let lines = commands.split(separator: "\n").map { $0.hasPrefix("-- ") ? $0 : "> " + $0 }
    return "# \(comment)\n" + lines.map { $0 + "\n" }.joined()
  }

  /// All templates but that of a scene, in the order of the help.
  static let all = [
    TranscriptTemplate(
      name: "loadable",
      summary: "a value that is loaded twice",
      comment: "A second load replaces the first. The late answer of the first is dropped.",
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
      summary: "a process that fails and runs again",
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
      summary: "routes of a mock server and a load from them",
      comment: "The load is retried after a 503.",
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
      summary: "an input and a pipeline",
      comment: "The search starts after a pause in typing.",
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
      comment: "What this transcript proves, in one sentence.",
      commands: "now"
    ),
  ]

  /// Returns a template that sets up a scene.
  static func scene(_ name: String) -> TranscriptTemplate {
    TranscriptTemplate(
      name: "scene",
      summary: "a scene of this program",
      comment: "What this transcript proves about the scene '\(name)', in one sentence.",
      commands: "scene \(name)\nlist\nsettle"
    )
  }
}
