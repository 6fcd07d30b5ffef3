import Harness
import LibC
import RehearsalBase

/// The changes of `init` in a package: new targets and their products, files, `.gitignore`; all are made, or none.
struct InitPlan {
  let package: UserPackage
  let files: NewFiles
  let source: RehearseSource?
  let edit: ManifestEdit
  /// New files, and those that already have their content.
  let created: [NewFiles.File]
  let present: [NewFiles.File]
  let manifest: (old: [UInt8], new: [UInt8])
  /// The lines that `.gitignore` gets, with its old content; nil if it has no old content.
  let ignored: (old: [UInt8]?, lines: [String])

  /// Creates the plan. Changes nothing.
  ///
  /// `source` is the dependency to add; nil if the package already has one. Throws if something is in the way.
  init(
    _ package: UserPackage,
    _ subject: NewFiles.Subject,
    names: NewFiles.Names,
    source: RehearseSource?,
    withoutEditing: Bool
  ) throws(SubcommandFailure) {
    self.package = package
    self.source = source
    let localFolder: String? = if case .folder(let path) = source { path } else { nil }
    files = NewFiles(names: names, subject: subject, localFolder: localFolder)
    let rehearse = source?.packageName ?? package.rehearse?.name ?? "rehearse"
    if Self.isPasted(names, in: package) {
      edit = ManifestEdit(dependency: nil, targets: [])
      let manifest = try Self.manifest(of: package)
      self.manifest = (manifest, manifest)
    } else {
      edit = ManifestEdit(
        dependency: source.map { [$0.dependency(withoutEditing: withoutEditing)] },
        targets: Self.targets(files, subject, rehearse)
      )
      try Self.requireFree(names, in: package)
      manifest = try Self.edited(package, edit, names)
    }
    var (created, present): ([NewFiles.File], [NewFiles.File]) = ([], [])
    for file in files.all(sourceFolder: package.sourceFolder, testFolder: package.testFolder) {
      if try Self.isPresent(file, in: package) {
        present.append(file)
      } else {
        created.append(file)
      }
    }
    (self.created, self.present) = (created, present)
    ignored = try Self.ignored(in: package)
  }

  // MARK: The manifest

  /// Whether `write` changes the manifest.
  var editsManifest: Bool { manifest.old != manifest.new }

  /// Whether the new targets were added to the manifest by hand, and have no files yet.
  private static func isPasted(_ names: NewFiles.Names, in package: UserPackage) -> Bool {
    names.all.allSatisfy { name in
      package.targets.contains { $0.name == name && package.path(of: $0) == nil }
    }
  }

  private static func manifest(of package: UserPackage) throws(SubcommandFailure) -> [UInt8] {
    do throws(FileProblem) {
      return try FileBytes.read(package.folder + "/Package.swift")
    } catch {
      throw SubcommandFailure("cannot read 'Package.swift': \(error.sentence)", hint: nil)
    }
  }

  private static func targets(
    _ files: NewFiles,
    _ subject: NewFiles.Subject,
    _ rehearse: String
  ) -> [[String]] {
    let names = files.names
    let module: [String] = if case .model(let model) = subject { [model.module.target] } else { [] }
    let own = { (name: String) in name.swiftLiteral }
    let product = { (name: String) in
      ".product(name: \"\(name)\", package: \(rehearse.swiftLiteral))"
    }
    return [
      target(".target", names.scenes, module.map(own) + files.sceneProducts.map(product)),
      target(".executableTarget", names.shell, [own(names.scenes), product("RehearsalKit")]),
      target(
        ".testTarget",
        names.tests,
        module.map(own)
          + [own(names.scenes)]
          + ["Rehearsal", "RehearsalTesting", "TranscriptTesting"].map(product)
      ),
    ]
  }

  private static func target(_ kind: String, _ name: String, _ dependencies: [String]) -> [String] {
    ["\(kind)(", "  name: \(name.swiftLiteral),", "  dependencies: ["]
      + dependencies.map { "    \($0)," } + ["  ]", ")"]
  }

  private static func requireFree(
    _ names: NewFiles.Names,
    in package: UserPackage
  ) throws(SubcommandFailure) {
    let taken = Set(package.targets.map(\.name) + package.products)
    guard let name = names.all.first(where: taken.contains) else { return }
    throw SubcommandFailure(
      "the package already has a target or product '\(name)', and nothing was changed",
      hint: "choose other names: --name NAME gives NAMEScenes, NAMEShell and NAMESceneTests"
    )
  }

  /// Edits the manifest, and lets the package manager read the result.
  private static func edited(
    _ package: UserPackage,
    _ edit: ManifestEdit,
    _ names: NewFiles.Names
  ) throws(SubcommandFailure) -> (old: [UInt8], new: [UInt8]) {
    let special = Folder.entries(of: package.folder).first {
      $0.hasPrefix("Package@swift-") && $0.hasSuffix(".swift")
    }
    if let special { throw refusal("there is also '\(special)'", edit) }
    if let loose = package.targets.first(where: {
      ["regular", "executable", "test"].contains($0.kind) && package.path(of: $0) == nil
    }) {
      throw refusal("the target '\(loose.name)' has no folder of its own", edit)
    }
    let old = try manifest(of: package)
    let new: [UInt8]
    do throws(ManifestEdit.Refusal) {
      new = try edit.edited(old)
    } catch {
      throw refusal(error.reason, edit)
    }
    guard try check(new, of: package, names) else {
      throw refusal("the result would not be a valid manifest", edit)
    }
    return (old, new)
  }

  /// Whether the package manager reads the new manifest, with the old targets and the new ones.
  private static func check(
    _ manifest: [UInt8],
    of package: UserPackage,
    _ names: NewFiles.Names
  ) throws(SubcommandFailure) -> Bool {
    let folder = TemporaryFolder()
    defer { folder?.remove() }
    guard let folder, (try? AtomicFile.create(manifest, at: folder.path + "/Package.swift")) != nil
    else {
      throw SubcommandFailure("cannot write a temporary file", hint: nil, exit: .harness)
    }
    guard let dump = try? UserPackage.dump(folder.path),
      let edited = try? UserPackage(dump: dump, folder: package.folder)
    else { return false }
    return edited.targets.map(\.name) == package.targets.map(\.name) + names.all
      && edited.rehearse != nil
  }

  private static func refusal(_ reason: String, _ edit: ManifestEdit) -> SubcommandFailure {
    var lines = [
      "error: cannot edit Package.swift: \(reason)", "Nothing was changed. Add this yourself:",
    ]
    if let dependency = edit.dependency {
      lines += ["", "to the dependencies:", ""] + dependency.map { "  \($0)," }
    }
    lines += ["", "to the targets:", ""]
    lines += edit.targets.flatMap { $0.dropLast().map { "  \($0)" } + ["  ),"] }
    lines += ["", "hint: then run 'init' again, for the files"]
    return SubcommandFailure(lines: lines, exit: .differences)
  }

  // MARK: Files

  /// Whether a file already has its content. Throws if another file is in its place.
  private static func isPresent(
    _ file: NewFiles.File,
    in package: UserPackage
  ) throws(SubcommandFailure) -> Bool {
    do throws(FileProblem) {
      let bytes = try FileBytes.readAny("\(package.folder)/\(file.path)", limitInBytes: 1 << 20)
      if bytes == Array(file.text.utf8) { return true }
    } catch {
      if error.isAbsence, error != .noFolder { return false }
      throw SubcommandFailure(
        "'\(file.path)' is in the way: \(error.sentence)",
        hint: "move it, and run 'init' again; nothing was changed"
      )
    }
    throw SubcommandFailure(
      "'\(file.path)' is in the way: it has another content",
      hint: "move it, and run 'init' again; nothing was changed"
    )
  }

  private static func ignored(
    in package: UserPackage
  ) throws(SubcommandFailure) -> (old: [UInt8]?, lines: [String]) {
    do throws(FileProblem) {
      let old = try FileBytes.read(package.folder + "/.gitignore")
      let lines = Set(
        String(decoding: old, as: UTF8.self).split(whereSeparator: \.isNewline).map {
          var line = Substring($0)
          while line.hasPrefix("/") { line = line.dropFirst() }
          while line.hasSuffix("/") || line.hasSuffix(" ") { line = line.dropLast() }
          return String(line)
        }
      )
      return (
        old, [".build/", "*.pending"].filter { !lines.contains($0.replacing("/", with: "")) }
      )
    } catch {
      if error.isAbsence { return (nil, [".build/", "*.pending"]) }
      throw SubcommandFailure("cannot read '.gitignore': \(error.sentence)", hint: nil)
    }
  }

  // MARK: Text

  /// The changes as a list: lines with `+` are new.
  var text: String {
    var lines = editsManifest ? ["Package.swift"] : []
    lines += (edit.dependency ?? []).map { "+   \($0)," }
    lines += edit.targets.map { "+   \(Self.onOneLine($0))," }
    let width = created.map(\.path.count).max() ?? 0
    lines += created.map { file in
      "+ " + file.path + String(repeating: " ", count: width - file.path.count + 2) + file.purpose
    }
    if !ignored.lines.isEmpty {
      lines.append((ignored.old == nil ? "+ " : "") + ".gitignore")
      lines += ignored.lines.map { "+   \($0)" }
    }
    lines += present.map { "  " + $0.path + "  is already there" }
    lines += files.clientAdvice.map { "note: in 'makeModel()', \($0)" }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns an element of the manifest on one line.
  private static func onOneLine(_ lines: [String]) -> String {
    lines.map { String($0.drop { $0 == " " }) }.joined(separator: " ")
      .replacing("( ", with: "(").replacing(" )", with: ")")
      .replacing("[ ", with: "[").replacing(", ]", with: "]")
  }

  /// Writes all changes, or none: the manifest comes last.
  func write() throws(SubcommandFailure) {
    var written: [(path: String, old: [UInt8]?)] = []
    var folders: [String] = []
    var path = ""
    do throws(FileProblem) {
      for file in created {
        path = file.path
        let target = "\(package.folder)/\(path)"
        folders += try Folder.makeAll(above: target)
        try AtomicFile.create(Array(file.text.utf8), at: target)
        written.append((target, nil))
      }
      if !ignored.lines.isEmpty {
        path = ".gitignore"
        let target = "\(package.folder)/\(path)"
        let old = ignored.old ?? []
        let separator = old.isEmpty || old.last == .lineFeed ? "" : "\n"
        let text = separator + ignored.lines.map { $0 + "\n" }.joined()
        try AtomicFile.write(old + Array(text.utf8), to: target, replacing: ignored.old)
        written.append((target, ignored.old))
      }
      guard editsManifest else { return }
      path = "Package.swift"
      try AtomicFile.write(manifest.new, to: "\(package.folder)/\(path)", replacing: manifest.old)
    } catch {
      for (target, old) in written.reversed() {
        if let old { try? AtomicFile.write(old, to: target) } else { unlink(target) }
      }
      Folder.removeEmpty(folders)
      throw SubcommandFailure(
        "cannot write '\(path)': \(error.sentence)",
        hint: "nothing was changed",
        exit: .harness
      )
    }
  }
}
