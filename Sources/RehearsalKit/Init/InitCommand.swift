import ArgumentParser
import Harness
import LibC
import Rehearsal
import RehearsalBase
import Workers

/// The subcommand `init`: its steps, the build of the model's target, and the next commands that it prints.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "init",
    abstract: "Add a shell and tests to a package.",
    discussion: UsageText.discussion(
      """
      Adds to the package in the current folder: the dependency on Rehearse, a target with a scene (code that sets up one of \
      your models in the shell), a shell, a target with tests, a first transcript, '.gitignore' and a workflow for GitHub. It lists all \
      changes first, and asks before it writes. It edits 'Package.swift' and '.gitignore', and \
      replaces no other file.

      It finds models by a search of the sources of library targets: classes that are '@Observable', \
      'ObservableObject' or 'LoadableSupport' (of Processed), and whose initialiser it can call. If there is none, the scene has an example. \
      Before it asks, it builds the target of the model. Without a terminal it asks nothing, and writes only with \
      --yes.
      """,
      [
        "init": "find a model, ask, and write",
        "init --model SearchModel --yes": "write without a question",
        "init --rehearse ../rehearse": "depend on this clone of Rehearse",
      ]
    )
  )

  @Option(
    help: ArgumentHelp("Model of the scene. 'none' writes an example.", valueName: "TYPE")
  )
  var model: String?

  @Option(
    help: ArgumentHelp(
      "Folder of a clone of Rehearse, or its address. (default: the clone that built this program, if there is one)",
      valueName: "PATH|URL"
    ),
    completion: .directory
  )
  var rehearse: String?

  @Option(
    help: ArgumentHelp(
      "Beginning of the names of the new targets. (default: the target of the model, or the package)",
      valueName: "NAME"
    )
  )
  var name: String?

  @Option(
    help: ArgumentHelp("Folder of the package.", valueName: "FOLDER"),
    completion: .directory
  )
  var packagePath = "."

  @Flag(help: "Do not build the target of the model first.")
  var skipBuild = false

  @Flag(name: .shortAndLong, help: "Write without a question.")
  var yes = false

  func validate() throws {
    guard let name,
      name.first?.isLetter != true
        || !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return }
    throw ValidationError("--name takes letters and digits, and begins with a letter")
  }

  func run() throws {
    do throws(SubcommandFailure) {
      try initialise()
    } catch {
      StandardStreams.write(error.text, to: .error)
      throw error.exit.asError
    }
  }

  private func initialise() throws(SubcommandFailure) {
    let package = try UserPackage(in: packagePath)
    if let shell = package.shell, package.path(of: shell) != nil {
      StandardStreams.write("nothing to do: the package already has the shell '\(shell.name)'\n")
      printNext(shell.name)
      return
    }
    let questions = InitQuestions(isAllowed: !yes)
    let choice = try ModelChoice(package)
    let subject = try choice.subject(named: model, questions)
    choice.printNotes(chosen: subject)
    // A package with a target that has no files does not build.
    if case .model(let model) = subject, !skipBuild, package.pastedName == nil {
      try build(model.module.target, package)
    }
    let plan = try InitPlan(
      package,
      subject,
      names: NewFiles.Names(name ?? package.pastedName ?? subject.target ?? package.name),
      source: try source(for: package, questions),
      withoutEditing: try SystemLibraries.requireAll(toolsVersion: package.toolsVersion)
    )
    StandardStreams.show(plan.text)
    if !yes { try questions.requireConsent() }
    try plan.write()
    let count = plan.created.count + (plan.ignored.lines.isEmpty ? 0 : 1)
    let manifest = plan.editsManifest ? " and Package.swift" : ""
    StandardStreams.write("wrote \("file".counted(count))\(manifest)\n")
    if case .folder(let path)? = plan.source {
      StandardStreams.write(
        "note: '\(path)' is a folder of this machine; for CI, give --rehearse an address or check it out there\n"
      )
    }
    printNext(plan.files.names.shell, plan.files)
  }

  /// Returns the dependency to add; nil if the package has one.
  private func source(
    for package: UserPackage,
    _ questions: InitQuestions
  ) throws(SubcommandFailure) -> RehearseSource? {
    if package.rehearse != nil { return nil }
    guard let text = rehearse ?? RehearseSource.ofThisProgram ?? questions.askForRehearse() else {
      throw SubcommandFailure(
        "this program does not know where Rehearse is, because it was not built from a clone",
        hint: "add --rehearse with the folder of a clone, or with its address"
      )
    }
    let source = try RehearseSource(text, for: package.folder)
    let own = package.folder.split(separator: "/").last?.lowercased()
    guard own != source.packageName else {
      throw SubcommandFailure(
        "the folder of the package has the name of the dependency, '\(source.packageName)'",
        hint: "rename the folder: the package manager needs two names"
      )
    }
    return source
  }

  private func build(_ target: String, _ package: UserPackage) throws(SubcommandFailure) {
    StandardStreams.write("building '\(target)', to see that it compiles…\n", to: .error)
    let run: ToolRun
    do throws(SystemError) {
      run = try ToolRun(["swift", "build", "--package-path", package.folder, "--target", target])
    } catch {
      throw SubcommandFailure(
        "cannot start 'swift': \(FileProblem(errno: error.code).sentence)",
        hint: nil
      )
    }
    guard run.end != .status(0) else { return }
    throw SubcommandFailure(
      "the target '\(target)' does not build: \(run.firstError)",
      hint: "make 'swift build --target \(target)' pass first; nothing was changed",
      exit: .differences
    )
  }

  /// Prints the next commands. `new` is nil if the package had a shell already.
  private func printNext(_ shell: String, _ new: NewFiles? = nil) {
    let folder = packagePath == "." ? "" : " --package-path " + FailureText.quoted(packagePath)
    let first = new.map { "scene \($0.subject.sceneName)" } ?? "scenes"
    var rows = [
      ("swift test\(folder)", "replay the transcript, and explore the schedules of a test"),
      ("swift run\(folder) \(shell)", "open the shell; type '\(first)' there"),
      (
        "swift run\(folder) \(shell) record Transcripts/second.transcript",
        "record a session as a test"
      ),
    ]
    if let tests = new?.names.tests {
      rows[2] = ("swift run\(folder) \(shell) test", "replay the transcripts only")
      rows.append(
        (
          "swift test\(folder) --filter \(tests).ExplorationTests",
          "after you wrote there what must be true: find the order that breaks it"
        )
      )
    }
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.map { row in
      "  " + row.0 + String(repeating: " ", count: width - row.0.count + 2) + row.1 + "\n"
    }
    StandardStreams.write("next:\n" + lines.joined())
  }
}

extension UserPackage {
  /// The first executable target with the shell of Rehearse.
  var shell: Target? {
    targets.first { $0.kind == "executable" && $0.products.contains { $0.name == "RehearsalKit" } }
  }

  /// The beginning of the names of new targets, if a shell was added to the manifest by hand and has no files yet.
  fileprivate var pastedName: String? {
    guard let name = shell?.name, name.hasSuffix("Shell") else { return nil }
    return String(name.dropLast("Shell".count))
  }
}

extension NewFiles.Subject {
  /// The target of the model.
  fileprivate var target: String? {
    if case .model(let model) = self { model.module.target } else { nil }
  }
}
