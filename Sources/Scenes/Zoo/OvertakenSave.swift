import Exploring
import Observation

extension Specimen {
  static let overtakenSave = Specimen(
    name: "save overtaken by an older one",
    symptom: "The latest text is lost, although it was saved.",
    bug: OvertakenSave.scenario(OvertakenSave.Hasty.init),
    twin: OvertakenSave.scenario(OvertakenSave.Careful.init)
  )
}

/// A note is saved at every change, and the server keeps the save that arrives last.
enum OvertakenSave {
  typealias Save = @MainActor (String) async throws -> Void

  @MainActor @Observable final class Hasty: Note {
    var text = "" { didSet { textChanged() } }
    private let save: Save

    init(save: @escaping Save) { self.save = save }

    private func textChanged() {
      let text = text
      Task { try await save(text) }
    }
  }

  @MainActor @Observable final class Careful: Note {
    var text = "" { didSet { textChanged() } }
    private let save: Save
    private var saving: Task<Void, any Error>?

    init(save: @escaping Save) { self.save = save }

    private func textChanged() {
      let (text, before) = (text, saving)
      saving = Task {
        _ = await before?.result
        try await save(text)
      }
    }
  }

  @MainActor protocol Note: AnyObject, Sendable {
    var text: String { get set }
  }

  static func scenario(
    _ makeNote: @escaping @MainActor (@escaping Save) -> some Note
  ) -> Specimen.Scenario {
    { run in
      var saved = ""
      let note = makeNote { text in
        try await run.take(.seconds(1), .seconds(4))
        run.note("saved '\(text)'")
        saved = text
      }
      for text in ["Buy milk", "Buy milk and bread"] {
        note.text = text
        try await Task.sleep(for: .seconds(2))
      }
      await run.settle()
      run.check(saved == note.text, "the latest text is saved", "'\(saved)' is saved")
    }
  }
}
