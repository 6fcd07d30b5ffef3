import Rehearsal
import RehearsalBase

/// A model of a module as a scene: how it is created, what it shows, and what it can do.
struct RehearsedModel {
  let type: SwiftType
  let module: SourceModule
  /// Whether the scene needs `@testable import`.
  let isTestable: Bool
  /// The expression that creates the model.
  let creation: String
  let needs: SampleValues.Needs
  let members: [Member]
  let verbs: [Verb]
  /// What the scene leaves out, and why.
  let leftOut: [String]

  /// A property that the scene shows.
  struct Member {
    let name: String
    let property: SwiftProperty
    let kind: Kind

    enum Kind { case property, publisher, loadable, process }
  }

  /// A method that the scene has as a command.
  struct Verb {
    let name: String
    let function: SwiftFunction
    let parameters: [VerbParameter]

    /// Returns a call of the method with arguments.
    func call(_ arguments: [String]) -> String {
      let list = zip(parameters, arguments).map { ($0.label.map { $0 + ": " } ?? "") + $1 }
      return "model.\(function.name)(\(list.joined(separator: ", ")))"
    }

    /// Returns a call with its effects.
    func statement(_ arguments: [String], try tryWord: String = "try") -> String {
      (function.returnsValue ? "_ = " : "") + (function.isThrowing ? tryWord + " " : "")
        + (function.isAsync ? "await " : "") + call(arguments)
    }
  }

  /// A reason why a model has no scene.
  struct Refusal: Error, Equatable {
    let reason: String
  }

  init(_ type: SwiftType, in module: SourceModule) throws(Refusal) {
    var (expression, needs, reason) = (String?.none, SampleValues.Needs(), "")
    var isTestable = false
    // With what other modules see, the scene also builds for release.
    for reach in [SwiftAccess.package, .module] where expression == nil {
      needs = SampleValues.Needs()
      switch SampleValues(module: module, reach: reach).creation(of: type, needs: &needs) {
      case .expression(let text): expression = text
      case .none(let why): reason = why
      }
      isTestable = reach == .module
    }
    guard let expression, let kind = type.modelKind else { throw Refusal(reason: reason) }
    self.type = type
    self.module = module
    self.isTestable = isTestable
    creation = expression
    self.needs = needs
    let reach: SwiftAccess = isTestable ? .module : .package
    var names = SceneNames(sceneName: Self.sceneName(of: type.name))
    members = type.properties.compactMap { property in
      guard let kind = property.memberKind(in: type, kind, reach) else { return nil }
      return Member(name: names.member(property.name), property: property, kind: kind)
    }
    var (verbs, leftOut): ([Verb], [String]) = ([], [])
    for function in type.functions where function.access >= reach {
      do throws(Refusal) {
        let parameters = try function.verbParameters(of: type, in: module, reach: reach)
        verbs.append(
          Verb(
            name: names.verb(function.name, isAsync: function.isAsync),
            function: function,
            parameters: parameters
          )
        )
      } catch {
        leftOut.append("\(function.signature): \(error.reason)")
      }
    }
    self.verbs = verbs
    self.leftOut = leftOut
  }

  /// The name of the scene: `search` for `SearchViewModel`.
  var sceneName: String { Self.sceneName(of: type.name) }

  private static func sceneName(of type: String) -> String {
    var name = Substring(type)
    for suffix in ["ViewModel", "Model"] where name.hasSuffix(suffix) && name.count > suffix.count {
      name = name.dropLast(suffix.count)
      break
    }
    let capitals = name.prefix { $0.isUppercase }
    // 'URLLoader' becomes 'urlLoader'.
    let count =
      capitals.count > 1 && capitals.count < name.count ? capitals.count - 1 : capitals.count
    return name.prefix(count).lowercased() + name.dropFirst(count)
  }
}

/// Names of a scene's members and commands that the shell accepts.
struct SceneNames {
  let sceneName: String
  private var members: Set<String> = []
  private var verbs: Set<String> = []

  init(sceneName: String) { self.sceneName = sceneName }

  mutating func member(_ name: String) -> String {
    let free = free(name) { CommandText.canNameMember($0) && !members.contains($0) }
    members.insert(free)
    return free
  }

  /// An async command is also a member.
  mutating func verb(_ name: String, isAsync: Bool) -> String {
    let free = free(name) {
      CommandText.canNameVerb($0) && !verbs.contains($0)
        && (!isAsync || CommandText.canNameMember($0) && !members.contains($0))
    }
    verbs.insert(free)
    if isAsync { members.insert(free) }
    return free
  }

  private func free(_ name: String, _ isFree: (String) -> Bool) -> String {
    let first = isFree(name) ? name : "\(sceneName).\(name)"
    if isFree(first) { return first }
    return (2...).lazy.map { "\(first)\($0)" }.first(where: isFree) ?? first
  }
}

extension SwiftProperty {
  /// How a scene shows the property; nil if it cannot.
  fileprivate func memberKind(
    in owner: SwiftType,
    _ kind: SwiftType.ModelKind,
    _ reach: SwiftAccess
  ) -> RehearsedModel.Member.Kind? {
    guard access >= reach, !hasEffects, !isLazy else { return nil }
    let type = self.type?.bareType ?? ""
    if owner.loads, setAccess >= reach, !isComputed {
      if type.hasPrefix("LoadableState<") { return .loadable }
      if type.hasPrefix("ProcessState<") || type == "SingleProcessState" { return .process }
    }
    switch kind {
    case .observable:
      return !attributes.contains("ObservationIgnored") && !isConstant && !holdsWork
        ? .property : nil
    case .published:
      return attributes.contains("Published") && !holdsWork ? .publisher : nil
    case .loadable: return nil
    }
  }

  /// Whether its type is work or code, which is no state of a screen.
  private var holdsWork: Bool {
    guard let type = type?.bareType else { return false }
    return ["Task<", "AnyCancellable", "Set<AnyCancellable>", "Cancellable", "Timer", "->"]
      .contains { type.contains($0) }
  }
}
