/// The text of the files that `init` writes: scene, shell, tests, transcript and workflow.
struct NewFiles {
  let names: Names
  let subject: Subject
  /// The line of the manifest for Rehearse as a folder of this machine; nil if it has an address.
  let localFolder: String?

  /// The names of the new targets.
  struct Names: Equatable {
    let scenes: String
    let shell: String
    let tests: String

    /// Creates the names from that of a target or of the package: `MyLibScenes` for `my-lib`.
    init(_ base: String) {
      let words = base.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
      var base = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
      if base.first.map(\.isLetter) != true { base = "App" + base }
      (scenes, shell, tests) = (base + "Scenes", base + "Shell", base + "SceneTests")
    }

    var all: [String] { [scenes, shell, tests] }
  }

  /// What the scene shows.
  enum Subject {
    case model(RehearsedModel)
    /// No model was found, so there is an example.
    case example

    var sceneName: String {
      switch self {
      case .model(let model): model.sceneName
      case .example: "example"
      }
    }

    var typeName: String {
      switch self {
      case .model(let model): model.type.name
      case .example: "ExampleModel"
      }
    }
  }

  struct File {
    /// The path in the package.
    let path: String
    let text: String
    /// The purpose, as a noun phrase.
    let purpose: String
  }

  static let transcripts = "Transcripts"

  /// Returns all new files, in the order of the list that is shown.
  func all(sourceFolder: String, testFolder: String) -> [File] {
    var files = [
      File(
        path: "\(sourceFolder)/\(names.scenes)/\(names.scenes).swift",
        text: sceneText,
        purpose: "a scene of \(subject.typeName)"
      )
    ]
    if case .example = subject {
      files.append(
        File(
          path: "\(sourceFolder)/\(names.scenes)/ExampleModel.swift",
          text: Self.exampleModel,
          purpose: "an example, to be replaced by your model"
        )
      )
    }
    return files + [
      File(
        path: "\(sourceFolder)/\(names.shell)/\(names.shell).swift",
        text: shellText,
        purpose: "the shell"
      ),
      File(
        path: "\(testFolder)/\(names.tests)/TranscriptTests.swift",
        text: transcriptTests,
        purpose: "each transcript as a test"
      ),
      File(
        path: "\(testFolder)/\(names.tests)/ExplorationTests.swift",
        text: explorationTests,
        purpose: "a test that explores schedules"
      ),
      File(
        path: "\(Self.transcripts)/\(subject.sceneName).transcript",
        text: transcript,
        purpose: "a first transcript"
      ),
      File(
        path: ".github/workflows/rehearse.yml",
        text: workflow,
        purpose: "a workflow for GitHub"
      ),
    ]
  }

  // MARK: The scene

  private var sceneText: String {
    guard case .model(let model) = subject, model.isTestable else {
      return importLines + "\n" + scenesType
    }
    let reason =
      "'\(model.type.name)', or a part of it, is internal, and '@testable' needs a debug build"
    return """
      // \(reason).
      #if DEBUG
      \(importLines)
      \(scenesType)
      #else
      public import Rehearsal

      public enum \(names.scenes) {
        public static let all: [Scene] = []
      }
      #endif\n
      """
  }

  private var importLines: String {
    var lines = ["public import Rehearsal"]
    if case .model(let model) = subject {
      lines.append((model.isTestable ? "@testable " : "") + "import \(model.module.name)")
      if model.needs.scheduler { lines.append("import Pipelines") }
      if model.needs.server { lines.append("import URLSessionHTTP") }
    }
    let sorted = lines.sorted {
      ($0.split(separator: " ").last ?? "") < ($1.split(separator: " ").last ?? "")
    }
    return sorted.map { $0 + "\n" }.joined()
  }

  /// The products that the target of the scenes needs.
  var sceneProducts: [String] {
    guard case .model(let model) = subject else { return ["Rehearsal"] }
    return ["Rehearsal"] + (model.needs.scheduler ? ["Pipelines"] : [])
      + (model.needs.server ? ["URLSessionHTTP"] : [])
  }

  private var scenesType: String {
    """
    /// The scenes: the state that the shell shows, and the commands that change it.
    public enum \(names.scenes) {
      public static let all: [Scene] = [\(subject.sceneName.asIdentifier)]

      private static let \(subject.sceneName.asIdentifier) = Scene("\(subject.sceneName)", "\(subject.typeName).") { scene in
        let model = \(creationCall("scene.server", "scene.stage"))
    \(sceneLines.map { "    " + $0 + "\n" }.joined())  }

      /// Creates the model, for the scene and for tests.
      @MainActor static func makeModel(\(parameterList))\(isThrowing ? " throws" : "") -> \(subject.typeName) {
    \(clientAdvice.map { "    // \($0)\n" }.joined())    \(creation)
      }
    }

    """
  }

  private var sceneLines: [String] {
    guard case .model(let model) = subject else {
      return [
        #"scene.property("results", of: model, \.results)"#,
        #"scene.command("search", "Calls search(_:).", .text("TEXT")) { model.search($0) }"#,
      ]
    }
    var lines = model.needs.server ? [Self.routeAdvice] : []
    lines += model.members.map(\.line) + model.verbs.map(\.line)
    if !model.leftOut.isEmpty {
      lines += ["// Left out:"] + model.leftOut.map { "// - \($0)" }
    }
    return lines
  }

  private static let routeAdvice =
    #"// An answer of the server: scene.add(.get("/path", .json("[]").after(.milliseconds(500))))"#

  /// What to check before the model runs, for each part that may send real requests.
  var clientAdvice: [String] {
    needs.clients.map { "\($0) may send real requests: put a test double in its place" }
  }

  private var needs: SampleValues.Needs {
    if case .model(let model) = subject { model.needs } else { SampleValues.Needs() }
  }

  private var isThrowing: Bool { needs.throwing }

  private var creation: String {
    if case .model(let model) = subject {
      (model.needs.throwing ? "try " : "") + model.creation
    } else {
      "ExampleModel()"
    }
  }

  private var parameterList: String {
    var parameters = needs.server ? ["server: MockServer"] : []
    if needs.server || needs.scheduler { parameters.append("stage: Stage") }
    return parameters.joined(separator: ", ")
  }

  private func creationCall(_ server: String, _ stage: String) -> String {
    var arguments = needs.server ? ["server: \(server)"] : []
    if needs.server || needs.scheduler { arguments.append("stage: \(stage)") }
    return (isThrowing ? "try " : "") + "makeModel(\(arguments.joined(separator: ", ")))"
  }

  // MARK: Other sources

  private var shellText: String {
    """
    import \(names.scenes)
    import RehearsalKit

    /// A shell with the scenes of this package.
    @main struct \(names.shell): RehearsalProgram {
      static let scenes = \(names.scenes).all
    }

    """
  }

  private var transcriptTests: String {
    """
    import \(names.scenes)
    import Rehearsal
    import Testing
    import TranscriptTesting

    @Test(arguments: Transcripts.in("\(Self.transcripts)", program: "\(names.shell)"))
    func `a transcript still holds`(transcript: Transcript) {
      transcript.check(with: \(names.scenes).all)
    }

    """
  }

  private var explorationTests: String {
    let needsStage = needs.server || needs.scheduler
    let stage = needsStage ? "    let stage = try #require(Stage.current)\n" : ""
    let call = creationCall("MockServer()", "stage").replacing(
      "makeModel",
      with: "\(names.scenes).makeModel"
    )
    let imports = moduleImport + ["@testable import \(names.scenes)\n"]
    return """
      import Rehearsal
      import RehearsalTesting
      import Testing

      \(imports.joined())
      @Suite struct ExplorationTests {
        /// Runs in virtual time, each time with another order of the tasks. Tasks that still wait at the end are allowed.
        @Test(.explored(schedules: 1_000, mayLeaveWork: true)) @MainActor
        func `\(subject.typeName) in every order`() async throws {
      \(stage)    let model = \(call)
      \(testCalls.map { "    " + $0 + "\n" }.joined())    try await Task.sleep(for: .seconds(60))
      \(expectation)
        }
      }

      """
  }

  private var moduleImport: [String] {
    guard case .model(let model) = subject else { return [] }
    return [(model.isTestable ? "@testable " : "") + "import \(model.module.name)\n"]
  }

  private var testCalls: [String] {
    guard case .model(let model) = subject else {
      return [#"model.search("one")"#, #"model.search("two")"#]
    }
    let verbs = model.verbs
    guard let first = verbs.first(where: { !$0.parameters.isEmpty }) ?? verbs.first else {
      return ["_ = model"]
    }
    return [
      first.testLine(first.parameters.map(\.samples.0)),
      first.testLine(first.parameters.map(\.samples.1)),
    ]
  }

  private var expectation: String {
    guard case .model(let model) = subject else {
      return #"    #expect(model.results == ["All about two"])"#
    }
    // A property that only the model writes says more than an argument of the test.
    let member = model.members.last { $0.property.setAccess == .hidden } ?? model.members.last
    let name = member?.property.name
    let example = name.map { "model.\($0) == …" } ?? "…"
    return """
          // What must be true in every order? Write it here, and run 'swift test' again:

          // #expect(\(example))
      """
  }

  private var transcript: String {
    """
    # The scene '\(subject.sceneName)' can be set up.
    > scene \(subject.sceneName)
      ...
    > wait 1s
      ...

    """
  }

  private static let exampleModel = """
    import Observation

    /// A model to start with. Without 'current?.cancel()', a late answer replaces a newer one, and 'swift test' says so.
    @MainActor @Observable final class ExampleModel {
      private(set) var results: [String] = []
      private var current: Task<Void, any Error>?

      func search(_ text: String) {
        current?.cancel()
        current = Task {
          try await Task.sleep(for: .milliseconds(300))
          results = ["All about \\(text)"]
        }
      }
    }

    """

  // MARK: The workflow

  private var workflow: String {
    let check =
      localFolder.map {
        """

              - name: Find Rehearse
                run: |
                  # Package.swift names a folder of one machine. Check Rehearse out there, or depend on its address.
                  test -e \($0)/Package.swift || { echo "::error::Rehearse is not in \($0)"; exit 1; }
        """
      } ?? ""
    return """
      name: rehearse
      on:
        pull_request:
        push:
          branches: [main]
      permissions:
        contents: read

      jobs:
        test:
          runs-on: ubuntu-24.04
          container: swift:6.3-noble
          steps:
            - uses: actions/checkout@v4\(check)
            - name: Install the libraries that Rehearse needs
              run: apt-get update && apt-get install --yes libedit-dev zlib1g-dev
            - name: Test
              run: swift test

      """
  }
}
