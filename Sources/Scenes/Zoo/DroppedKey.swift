import Exploring
import Observation

extension Specimen {
  static let droppedKey = Specimen(
    name: "debounce that drops the last key",
    symptom: "The user has typed 'swift', and the results are for 'sw'.",
    bug: DroppedKey.scenario(DroppedKey.Hasty.init),
    twin: DroppedKey.scenario(DroppedKey.Careful.init)
  )
}

/// A field updates the text of a pending search, even if the search has already begun.
enum DroppedKey {
  typealias Find = @MainActor (String) async throws -> String

  @MainActor @Observable final class Hasty: Field {
    var text = "" { didSet { textChanged() } }
    private(set) var results = ""
    private let find: Find
    private var pending: Task<Void, any Error>?

    init(find: @escaping Find) { self.find = find }

    private func textChanged() {
      if pending != nil { return }
      pending = Task {
        defer { pending = nil }
        try await Task.sleep(for: .milliseconds(300))
        results = try await find(text)
      }
    }
  }

  @MainActor @Observable final class Careful: Field {
    var text = "" { didSet { textChanged() } }
    private(set) var results = ""
    private let find: Find
    private var pending: Task<Void, any Error>?

    init(find: @escaping Find) { self.find = find }

    private func textChanged() {
      pending?.cancel()
      pending = Task {
        try await Task.sleep(for: .milliseconds(300))
        let found = try await find(text)
        try Task.checkCancellation()
        results = found
      }
    }
  }

  @MainActor protocol Field: AnyObject, Sendable {
    var text: String { get set }
    var results: String { get }
  }

  static func scenario(
    _ makeField: @escaping @MainActor (@escaping Find) -> some Field
  ) -> Specimen.Scenario {
    { run in
      let field = makeField { text in
        try await run.take(.milliseconds(50), .milliseconds(200))
        run.note("found all about \(text)")
        return "all about \(text)"
      }
      for text in ["s", "sw", "swift"] {
        run.note("types \(text)")
        field.text = text
        try await Task.sleep(for: .milliseconds(200))
      }
      await run.settle()
      run.check(
        field.results == "all about swift",
        "the results are for the typed text",
        "it shows '\(field.results)'"
      )
    }
  }
}
