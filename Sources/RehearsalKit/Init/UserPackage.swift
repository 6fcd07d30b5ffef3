import Harness
import LibC
import RehearsalBase
import Workers

/// A package of a user, as `swift package dump-package` describes it: targets, folders, dependencies.
struct UserPackage {
  /// The folder of the package, without links.
  let folder: String
  let name: String
  let toolsVersion: (major: Int, minor: Int)
  let targets: [Target]
  let products: [String]
  let dependencies: [Dependency]
  /// Whether targets without other settings are in Swift 6 mode.
  let isSwift6: Bool

  struct Target {
    let name: String
    /// `regular`, `executable`, `test`, `macro` or another kind.
    let kind: String
    let path: String?
    let exclude: [String]
    let sources: [String]?
    /// The products of other packages that it uses.
    let products: [(name: String, package: String)]
    let isMainActorByDefault: Bool
    /// Whether its async functions without an actor run where their caller runs.
    let staysOnCaller: Bool
  }

  struct Dependency {
    let identity: String
    /// The name by which targets refer to it.
    let name: String
  }

  /// The folders in which the package manager looks for targets, in its order.
  private static let sourceFolders = ["Sources", "Source", "src", "srcs"]

  /// Reads the package in a folder.
  init(in folder: String) throws(SubcommandFailure) {
    guard let real = Folder.realPath(folder), Folder.isFolder(real) else {
      throw SubcommandFailure("there is no folder '\(folder)'", hint: nil)
    }
    guard access(real + "/Package.swift", F_OK) == 0 else {
      throw SubcommandFailure(
        "there is no Package.swift in '\(real)'",
        hint: "run 'init' in the root folder of your package, or name it with --package-path"
      )
    }
    try self.init(dump: Self.dump(real), folder: real)
  }

  /// Returns the manifest in a folder as JSON.
  static func dump(_ folder: String) throws(SubcommandFailure) -> JSONValue {
    let run: ToolRun
    do throws(SystemError) {
      run = try ToolRun(["swift", "package", "--package-path", folder, "dump-package"])
    } catch {
      throw SubcommandFailure(
        "cannot start 'swift': \(FileProblem(errno: error.code).sentence)",
        hint: "install Swift 6.3 or later (https://www.swift.org/install), and add it to PATH"
      )
    }
    guard run.end == .status(0) else {
      throw SubcommandFailure(
        "the manifest cannot be read: \(run.firstError)",
        hint: "make 'swift package dump-package' work first",
        exit: .differences
      )
    }
    do throws(JSONProblem) {
      return try JSONValue(json: run.output, repeatedNames: .kept)
    } catch {
      throw SubcommandFailure(
        "'swift package dump-package' printed no JSON: \(error.sentence)",
        hint: nil,
        exit: .harness
      )
    }
  }

  /// Creates a package from the JSON of its manifest.
  init(dump: JSONValue, folder: String) throws(SubcommandFailure) {
    self.folder = folder
    guard let name = dump["name"].string, case .array(let targets) = dump["targets"] else {
      throw SubcommandFailure(
        "'swift package dump-package' printed an unknown format",
        hint: nil,
        exit: .harness
      )
    }
    self.name = name
    let version = (dump["toolsVersion"]["_version"].string ?? "").split(separator: ".")
    toolsVersion = (
      version.first.flatMap { Int($0) } ?? 0, version.dropFirst().first.flatMap { Int($0) } ?? 0
    )
    let modes = dump["swiftLanguageVersions"].elements.compactMap(\.string)
    isSwift6 = modes.isEmpty ? toolsVersion.major >= 6 : modes.contains { $0.hasPrefix("6") }
    self.targets = targets.compactMap(Target.init)
    products = dump["products"].elements.compactMap { $0["name"].string }
    dependencies = dump["dependencies"].elements.compactMap(Dependency.init)
  }

  /// The kind of the dependency that this program needs; nil if there is none yet.
  var rehearse: Dependency? {
    let used = Set(
      targets.flatMap(\.products).filter { Self.ownProducts.contains($0.name) }.map(\.package)
    )
    return dependencies.first {
      $0.name == "rehearse" || $0.identity == "rehearse" || used.contains($0.name)
        || used.contains($0.identity)
    }
  }

  private static let ownProducts: Set<String> = [
    "Rehearsal", "RehearsalKit", "RehearsalTesting", "TranscriptTesting",
  ]

  // MARK: Folders

  /// The folder of new targets.
  var sourceFolder: String {
    Self.sourceFolders.first { Folder.isFolder("\(folder)/\($0)") } ?? Self.sourceFolders[0]
  }

  /// The folder of new test targets.
  var testFolder: String {
    // A new folder 'Tests' would hide the place of other test targets.
    let others = targets.contains {
      $0.kind == "test" && $0.path == nil && path(of: $0) != nil
    }
    return (["Tests"] + Self.sourceFolders).first { others && Folder.isFolder("\(folder)/\($0)") }
      ?? "Tests"
  }

  /// The folder of a target, relative to the package; nil if it is in no folder of its own.
  func path(of target: Target) -> String? {
    if let path = target.path { return path }
    return ((target.kind == "test" ? ["Tests"] : []) + Self.sourceFolders)
      .map { "\($0)/\(target.name)" }.first { Folder.isFolder("\(folder)/\($0)") }
  }

  /// The Swift files of a target, relative to the package, sorted.
  func files(of target: Target) -> [String] {
    guard let root = path(of: target) else { return [] }
    let excluded = target.exclude.map { "\(root)/\($0)" }
    let included = target.sources?.map { "\(root)/\($0)" } ?? [root]
    var files: [String] = []
    var folders = [root]
    while let next = folders.popLast() {
      for entry in Folder.entries(of: "\(folder)/\(next)") where !entry.hasPrefix(".") {
        let isFolder = entry.hasSuffix("/")
        let path = "\(next)/\(isFolder ? String(entry.dropLast()) : entry)"
        if excluded.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) { continue }
        if isFolder {
          if !Folder.isLink("\(folder)/\(path)") { folders.append(path) }
        } else if path.hasSuffix(".swift"),
          included.contains(where: { path == $0 || path.hasPrefix($0 + "/") })
        {
          files.append(path)
        }
      }
    }
    return files.sorted()
  }
}

extension UserPackage.Target {
  fileprivate init?(_ dump: JSONValue) {
    guard let name = dump["name"].string, let kind = dump["type"].string else { return nil }
    self.name = name
    self.kind = kind
    path = dump["path"].string
    exclude = dump["exclude"].elements.compactMap(\.string)
    sources = dump["sources"].string == nil ? dump["sources"].listOfTexts : nil
    products = dump["dependencies"].elements.compactMap { dependency in
      let parts = dependency["product"].elements
      guard let name = parts.first?.string else { return nil }
      return (name, parts.dropFirst().first?.string ?? name)
    }
    let settings = dump["settings"].elements.map { $0["kind"] }
    isMainActorByDefault = settings.contains {
      $0["defaultIsolation"]["_0"].string == "MainActor"
    }
    staysOnCaller = settings.contains {
      $0["enableUpcomingFeature"]["_0"].string == "NonisolatedNonsendingByDefault"
    }
  }
}

extension UserPackage.Dependency {
  fileprivate init?(_ dump: JSONValue) {
    guard case .object(let fields) = dump, let value = fields.first?.value.elements.first else {
      return nil
    }
    guard let identity = value["identity"].string else { return nil }
    self.identity = identity
    name = value["nameForTargetDependencyResolutionOnly"].string ?? identity
  }
}

extension JSONValue {
  /// The value of a field; `null` if there is none.
  fileprivate subscript(name: String) -> JSONValue {
    guard case .object(let fields) = self else { return .null }
    return fields.first { $0.name == name }?.value ?? .null
  }

  fileprivate var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  fileprivate var elements: [JSONValue] {
    if case .array(let values) = self { values } else { [] }
  }

  fileprivate var listOfTexts: [String]? {
    if case .array(let values) = self { values.compactMap(\.string) } else { nil }
  }
}
