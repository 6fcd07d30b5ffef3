import Foundation
import PseudoTerminal
import Testing

/// The subcommand `init`, in packages of several layouts. `scripts/init-samples` builds and tests the results.
@Suite struct InitTests {
  private static let samples =
    #filePath.components(separatedBy: "/RehearseTests/")[0] + "/InitPackages"
  private let place: Workplace

  init() throws {
    place = try Workplace()
    try place.makeFolder("rehearse")
    try place.write("rehearse/Package.swift", "let package = Package(name: \"rehearse\")\n")
  }

  /// The search path of the tests, which has `swift`.
  private var tools: [String: String] {
    ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
  }

  private func initialise(_ name: String, _ more: String...) throws -> Outcome {
    let arguments =
      ["init", "--package-path", name, "--rehearse", "rehearse", "--skip-build"] + more
    return try place.rehearse(arguments, input: [], environment: tools)
  }

  private func copy(_ name: String) throws {
    try FileManager.default.copyItem(
      atPath: "\(Self.samples)/\(name)",
      toPath: "\(place.path)/\(name)"
    )
  }

  /// Writes a small package with a model.
  private func makePackage(
    manifest: String = "let package = Package(name: \"A\", targets: [.target(name: \"A\")])",
    model: String = "import Observation\n@MainActor @Observable final class A { var a = 1 }\n"
  ) throws {
    try place.makeFolder("A/Sources/A")
    try place.write(
      "A/Package.swift",
      "// swift-tools-version: 6.2\nimport PackageDescription\n\(manifest)\n"
    )
    try place.write("A/Sources/A/A.swift", model)
  }

  /// The files of a package, by their paths; without its build folder.
  private func files(of name: String) throws -> [String: String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(place.path)/\(name)")
    let files = paths.filter { !$0.hasPrefix(".build") && !isFolder("\(name)/\($0)") }
    return Dictionary(uniqueKeysWithValues: files.map { ($0, place.read("\(name)/\($0)")) })
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder = ObjCBool(false)
    return FileManager.default.fileExists(atPath: "\(place.path)/\(path)", isDirectory: &isFolder)
      && isFolder.boolValue
  }

  // MARK: The written files

  @Test(arguments: ["NoLibrary", "Several", "Old", "Combined", "Tested"])
  func `init writes the expected files, and nothing when it runs again`(name: String) throws {
    try copy(name)
    let before = try files(of: name)
    let outcome = try initialise(name, "--yes")
    #expect(outcome.errors == "")
    #expect(outcome.code == 0)
    let after = try files(of: name)
    let changed = after.filter { before[$0.key] != $0.value }.sorted { $0.key < $1.key }
    let text =
      outcome.output + changed.map { "\n=== \($0.key)\n\($0.value)" }.joined()
    let golden = "\(Self.samples)/Expected/\(name).txt"
    if ProcessInfo.processInfo.environment["UPDATE_INIT"] != nil {
      try text.write(toFile: golden, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOfFile: golden, encoding: .utf8))
    #expect(before.keys.allSatisfy { after[$0] != nil })

    let second = try initialise(name, "--yes")
    #expect(second.output.hasPrefix("nothing to do: the package already has the shell"))
    #expect(second.code == 0)
    #expect(try files(of: name) == after)
  }

  @Test func `--model and --name choose the scene and the targets`() throws {
    try copy("Several")
    let outcome = try initialise("Several", "--yes", "--model", "SettingsModel", "--name", "Mine")
    #expect(outcome.code == 0)
    #expect(
      outcome.output.contains(
        "left out of the scene: reset(): it is async, and 'SettingsModel' belongs to no actor and is not Sendable\n"
      )
    )
    #expect(
      place.read("Several/Sources/MineScenes/MineScenes.swift")
        .contains("scene.property(\"isDark\", of: model, \\.isDark)\n")
    )
  }

  @Test func `init goes on after it was interrupted`() throws {
    try makePackage()
    _ = try initialise("A", "--yes")
    let complete = try files(of: "A")
    try makePackage()
    unlink(place.path + "/A/Transcripts/a.transcript")
    let outcome = try initialise("A", "--yes")
    #expect(outcome.output.contains("  Sources/AShell/AShell.swift  is already there\n"))
    #expect(outcome.output.contains("wrote 1 file and Package.swift\n"))
    #expect(try files(of: "A") == complete)
  }

  @Test func `init adds the files of targets that were added to the manifest by hand`() throws {
    try makePackage()
    _ = try initialise("A", "--yes")
    let complete = try files(of: "A")
    for folder in [".github", "Sources/AScenes", "Sources/AShell", "Tests", "Transcripts"] {
      try FileManager.default.removeItem(atPath: "\(place.path)/A/\(folder)")
    }
    let outcome = try initialise("A", "--yes")
    #expect(outcome.errors == "")
    #expect(!outcome.output.contains("Package.swift"))
    #expect(outcome.output.contains("+ Sources/AShell/AShell.swift "))
    // The workflow does not know whether the dependency is a folder.
    let isCompared = { (path: String) in !path.hasPrefix(".github") }
    #expect(
      try files(of: "A").filter { isCompared($0.key) } == complete.filter { isCompared($0.key) }
    )
  }

  @Test func `a client that may send real requests is named before it is used`() throws {
    let model = """
      import Observation
      protocol Client: Sendable { func items() async -> [Int] }
      struct LiveClient: Client { func items() async -> [Int] { [] } }
      @MainActor @Observable final class A {
        var items: [Int] = []
        init(client: any Client) {}
      }

      """
    try makePackage(model: model)
    let outcome = try initialise("A")
    let warning = "'LiveClient' may send real requests: put a test double in its place"
    #expect(outcome.output.contains("note: in 'makeModel()', \(warning)\n"))
    _ = try initialise("A", "--yes")
    let scene = place.read("A/Sources/AScenes/AScenes.swift")
    #expect(scene.contains("    // \(warning)\n    A(client: LiveClient())\n"))

    let defaulted = model.replacing("any Client)", with: "any Client = LiveClient())")
    try FileManager.default.removeItem(atPath: "\(place.path)/A")
    try makePackage(model: defaulted)
    #expect(try initialise("A").output.contains("the default of 'client' may send real requests"))
    let double = defaulted + "struct StubClient: Client { func items() async -> [Int] { [1] } }\n"
    try makePackage(model: double)
    let safe = try initialise("A", "--yes")
    #expect(!safe.output.contains("real requests"))
    #expect(place.read("A/Sources/AScenes/AScenes.swift").contains("A(client: StubClient())"))
  }

  @Test func `another program names the shell of the package`() throws {
    try makePackage()
    _ = try initialise("A", "--yes")
    try place.write("A/Transcripts/b.transcript", "> scene a\n")
    let outcome = try place.rehearse("test", environment: tools, before: "cd A; ")
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.contains(
        "note: the shell of this package has other scenes: 'swift run AShell test' replays its transcripts"
      )
    )
  }

  // MARK: Consent

  @Test func `without a terminal and without --yes nothing is changed`() throws {
    try makePackage()
    let before = try files(of: "A")
    let outcome = try initialise("A")
    #expect(outcome.output.contains("+ Sources/AScenes/AScenes.swift "))
    #expect(
      outcome.errors == """
        error: nothing was changed: without a terminal, 'init' cannot ask
        hint: add --yes\n
        """
    )
    #expect(outcome.code == 1)
    #expect(try files(of: "A") == before)
  }

  @Test func `a terminal is asked for the model and for consent`() throws {
    try copy("Several")
    let before = try files(of: "Several")
    let arguments = [
      "init", "--package-path", "Several", "--rehearse", "rehearse", "--skip-build",
    ]
    for (answer, code) in [("n", 1), ("", 1), ("y", 0)] {
      let terminal = try place.terminal(arguments, environment: tools, rows: 60, columns: 120)
      try terminal.wait(forInput: "number [1]: ")
      try terminal.type("9\r")
      try terminal.wait(for: "a second question") {
        $0.text.contains { $0 == "type a number from 1 to 2" }
      }
      try terminal.type("2\r")
      try terminal.wait(forInput: "Write this? [y/N] ")
      try terminal.type(answer + "\r")
      #expect(try terminal.waitForExit() == code)
      if code == 1 { #expect(try files(of: "Several") == before) }
    }
    #expect(
      place.read("Several/Sources/SearchFeatureScenes/SearchFeatureScenes.swift")
        .contains("Scene(\"settings\", ")
    )
  }

  // MARK: Problems

  /// Runs `init` in the package A, which must fail and change nothing.
  private func expectFailure(
    _ message: String,
    code: Int32,
    _ more: String...,
    environment: [String: String]? = nil
  ) throws {
    let before = try files(of: "A")
    let outcome = try place.rehearse(
      ["init", "--package-path", "A", "--rehearse", "rehearse", "--yes"] + more,
      input: [],
      environment: environment ?? tools
    )
    #expect(outcome.errors.contains(message))
    #expect(outcome.code == code)
    #expect(try files(of: "A") == before)
  }

  @Test func `a folder without a package is named`() throws {
    try place.makeFolder("A")
    try expectFailure("error: there is no Package.swift in ", code: 2)
  }

  @Test func `a missing compiler is named`() throws {
    try makePackage()
    try expectFailure(
      "error: cannot start 'swift': there is no such file\nhint: install Swift 6.3 or later",
      code: 2,
      environment: ["PATH": place.path]
    )
  }

  @Test func `a manifest with an error is named with its line`() throws {
    try makePackage(manifest: "let package = Package(nme: \"A\")")
    try expectFailure("error: the manifest cannot be read: ", code: 1)
  }

  @Test func `a target that does not build is named with the error`() throws {
    try makePackage(model: "import Observation\n@Observable final class A { var a: Missing = 1 }\n")
    try expectFailure("error: the target 'A' does not build: ", code: 1)
  }

  @Test(arguments: [
    "let targets: [Target] = [.target(name: \"A\")]\nlet package = Package(name: \"A\", targets: targets)",
    "let package = Package(name: \"A\")\npackage.targets.append(.target(name: \"A\"))",
    "let package = Package(name: \"A\", targets: [.target(name: \"A\")])\npackage.dependencies = []",
  ])
  func `a manifest that cannot be edited is left alone, and the text to add is printed`(
    manifest: String
  ) throws {
    try makePackage(manifest: manifest)
    try expectFailure("error: cannot edit Package.swift: ", code: 1, "--skip-build")
    let outcome = try initialise("A", "--yes")
    #expect(outcome.errors.contains("  .package(name: \"rehearse\", path: \"../rehearse\"),\n"))
    #expect(outcome.errors.contains("  .testTarget(\n    name: \"ASceneTests\",\n"))
  }

  @Test func `a second manifest for another version is not ignored`() throws {
    try makePackage()
    try place.write("A/Package@swift-6.0.swift", place.read("A/Package.swift"))
    try expectFailure("there is also 'Package@swift-6.0.swift'", code: 1, "--skip-build")
  }

  @Test func `another file in the way is named`() throws {
    try makePackage()
    try place.makeFolder("A/Sources/AShell")
    try place.write("A/Sources/AShell/AShell.swift", "// mine\n")
    try expectFailure(
      "error: 'Sources/AShell/AShell.swift' is in the way: it has another content\n",
      code: 2,
      "--skip-build"
    )
    try place.write("A/.github", "")
    unlink(place.path + "/A/Sources/AShell/AShell.swift")
    try expectFailure("'.github/workflows/rehearse.yml' is in the way: ", code: 2, "--skip-build")
  }

  @Test func `a target in the way is named`() throws {
    try makePackage(
      manifest:
        "let package = Package(name: \"A\", products: [.library(name: \"AShell\", targets: [\"A\"])], targets: [.target(name: \"A\")])"
    )
    try expectFailure(
      "error: the package already has a target or product 'AShell'",
      code: 2,
      "--skip-build"
    )
  }

  @Test func `a folder that cannot be written is named, and other files are removed again`() throws
  {
    try makePackage()
    try place.makeFolder("A/Transcripts")
    let before = try files(of: "A")
    chmod(place.path + "/A/Transcripts", 0o500)
    defer { chmod(place.path + "/A/Transcripts", 0o700) }
    let rights = "-dac_override,-dac_read_search"
    let outcome = try place.rehearse(
      ["init", "--package-path", "A", "--rehearse", "rehearse", "--yes", "--skip-build"],
      input: [],
      environment: tools,
      before: getuid() == 0 ? "setpriv --bounding-set=\(rights) --inh-caps=\(rights) " : "",
      after: " "
    )
    #expect(
      outcome.errors == """
        error: cannot write 'Transcripts/a.transcript': permission denied
        hint: nothing was changed\n
        """
    )
    #expect(outcome.code == 3)
    #expect(try files(of: "A") == before)
    #expect(!isFolder("A/Sources/AShell"))
  }

  @Test(arguments: [
    (["--rehearse", "A"], "error: 'A' is not Rehearse"),
    (["--rehearse", "missing"], "error: there is no folder 'missing'"),
    (["--rehearse", "file:///missing.git"], "error: git cannot read 'file:///missing.git'"),
    (
      ["--model", "Zebra"],
      "error: there is no model 'Zebra' in a library target\nhint: the models are A\n"
    ),
    (["--name", "my app"], "error: --name takes letters and digits"),
  ])
  func `wrong arguments are explained`(arguments: [String], message: String) throws {
    try makePackage()
    let outcome = try place.rehearse(
      ["init", "--package-path", "A", "--yes", "--skip-build"] + arguments,
      input: [],
      environment: tools
    )
    #expect(outcome.errors.hasPrefix(message))
    #expect(outcome.code == 2 || outcome.code == 1)
    #expect(!isFolder("A/Sources/AShell"))
  }

  @Test func `a model that cannot be created has its reason`() throws {
    try copy("Several")
    let outcome = try initialise("Several", "--yes", "--model", "DetailModel")
    #expect(
      outcome.errors
        == "error: no scene can be written for 'DetailModel': 'book' needs a value: 'Book' is not a type of search_feature\n"
    )
    #expect(outcome.code == 2)
  }
}
