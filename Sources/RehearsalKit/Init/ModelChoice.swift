import RehearsalBase
import Script

/// The models of a package, and the choice of one for the scene.
struct ModelChoice {
  private var models: [RehearsedModel] = []
  /// Models without a scene, with the reason.
  private var refused: [(name: String, reason: String)] = []

  init(_ package: UserPackage) throws(SubcommandFailure) {
    for target in package.targets where ["regular", "executable"].contains(target.kind) {
      let module = try SourceModule(target, of: package)
      for type in module.models {
        guard target.kind == "regular" else {
          let reason =
            "'\(target.name)' is an executable, which a shell cannot import; move it to a library target"
          refused.append((type.name, reason))
          continue
        }
        do throws(RehearsedModel.Refusal) {
          let model = try RehearsedModel(type, in: module)
          if model.members.isEmpty, model.verbs.isEmpty {
            throw RehearsedModel.Refusal(reason: "it has nothing to show and nothing to call")
          }
          models.append(model)
        } catch {
          refused.append((type.name, error.reason))
        }
      }
    }
  }

  /// Returns the model with a name, the one that the user chooses, the only one, or the example.
  func subject(named name: String?, _ questions: InitQuestions) throws(SubcommandFailure)
    -> NewFiles.Subject
  {
    guard let name else {
      guard let first = models.first else { return .example }
      let place = models.count == 1 ? 0 : questions.askForModel(models.map(\.title))
      return .model(models.indices.contains(place) ? models[place] : first)
    }
    if name == "none" { return .example }
    if let model = models.first(where: {
      $0.type.name == name || "\($0.module.name).\($0.type.name)" == name
    }) {
      return .model(model)
    }
    if let found = refused.first(where: { $0.name == name }) {
      throw SubcommandFailure("no scene can be written for '\(name)': \(found.reason)", hint: nil)
    }
    let names = models.map(\.type.name)
    throw SubcommandFailure(
      "there is no model '\(name)' in a library target",
      hint: Suggestion.hint(for: name, in: names)
        ?? (names.isEmpty
          ? "--model none writes an example" : "the models are " + names.joined(separator: ", "))
    )
  }

  /// Prints which model the scene has, and which were left out.
  func printNotes(chosen: NewFiles.Subject) {
    for (name, reason) in refused { StandardStreams.write("left out: '\(name)': \(reason)\n") }
    switch chosen {
    case .model(let model):
      StandardStreams.write(
        "the scene '\(model.sceneName)' shows '\(model.type.name)' (\(model.place))\n"
      )
      for line in model.leftOut { StandardStreams.write("left out of the scene: \(line)\n") }
    case .example:
      let reason = models.isEmpty ? "no model was found in a library target" : "as you chose"
      StandardStreams.write("the scene has an example model: \(reason)\n")
    }
  }
}

extension RehearsedModel {
  fileprivate var place: String { "\(type.file):\(type.line)" }
  fileprivate var title: String { "\(type.name)  \(place)" }
}
