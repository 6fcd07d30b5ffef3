import Harness

/// The types of one target, with the members that extensions add, and which of these types are models.
struct SourceModule {
  /// The name of the target.
  let target: String
  /// The name of the module: that of the target, with underscores in place of other characters.
  var name: String { target.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() }
  /// Whether types without an actor belong to the main actor.
  let isMainActorByDefault: Bool
  /// Whether async functions without an actor run where their caller runs.
  let staysOnCaller: Bool
  /// Whether the new targets are in Swift 6 mode.
  let isSwift6: Bool
  let types: [SwiftType]

  /// Reads the sources of a target.
  init(_ target: UserPackage.Target, of package: UserPackage) throws(SubcommandFailure) {
    var files: [(path: String, source: [UInt8])] = []
    for path in package.files(of: target) {
      do throws(FileProblem) {
        files.append((path, try FileBytes.read("\(package.folder)/\(path)")))
      } catch {
        throw SubcommandFailure("cannot read '\(path)': \(error.sentence)", hint: nil)
      }
    }
    self.init(
      target: target.name,
      isMainActorByDefault: target.isMainActorByDefault,
      staysOnCaller: target.staysOnCaller,
      isSwift6: package.isSwift6,
      files: files
    )
  }

  init(
    target: String,
    isMainActorByDefault: Bool = false,
    staysOnCaller: Bool = false,
    isSwift6: Bool = true,
    files: [(path: String, source: [UInt8])]
  ) {
    self.target = target
    self.isMainActorByDefault = isMainActorByDefault
    self.staysOnCaller = staysOnCaller
    self.isSwift6 = isSwift6
    let readers = files.map { SwiftDeclarationReader($0.source, file: $0.path) }
    var types = readers.flatMap(\.types)
    for added in readers.flatMap(\.extensions) where !added.isConditional && !added.isGeneric {
      guard let index = types.firstIndex(where: { $0.name == added.name }) else { continue }
      types[index].inherited += added.inherited
      types[index].properties += added.properties.filter(\.isComputed)
      types[index].functions += added.functions
      types[index].initialisers += added.initialisers.map {
        var initialiser = $0
        // The automatic initialiser of a struct remains.
        initialiser.attributes.append(SwiftType.inExtension)
        return initialiser
      }
    }
    self.types = types
  }

  func type(named name: String) -> SwiftType? { types.first { $0.name == name } }

  /// The types whose state a shell can show, in the order of files and lines.
  var models: [SwiftType] { types.filter { $0.modelKind != nil } }
}

extension SwiftType {
  /// Marks an initialiser of an extension among its attributes.
  static let inExtension = "extension"

  /// How a shell learns of the changes of a model.
  enum ModelKind {
    case observable, published, loadable
  }

  /// The kind of model; nil if it is none.
  var modelKind: ModelKind? {
    guard kind == "class", access > .hidden else { return nil }
    if attributes.contains(where: { $0 == "Observable" || $0.hasSuffix(".Observable") }) {
      return .observable
    }
    if inherited.contains(where: { $0 == "ObservableObject" || $0.hasSuffix(".ObservableObject") })
    {
      return .published
    }
    return inherited.contains(where: { Self.loadingProtocols.contains($0) }) ? .loadable : nil
  }

  private static let loadingProtocols: Set<String> = [
    "LoadableSupport", "ProcessSupport", "MainActorLoadableSupport", "MainActorProcessSupport",
  ]

  var loads: Bool { inherited.contains(where: { Self.loadingProtocols.contains($0) }) }

  func isMainActor(in module: SourceModule) -> Bool {
    attributes.contains("MainActor") || inherited.contains { $0.hasPrefix("MainActor") }
      || module.isMainActorByDefault
  }
}
