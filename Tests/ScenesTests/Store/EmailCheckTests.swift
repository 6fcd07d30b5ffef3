import Pipelines
import Staging
import Testing

@testable import Scenes

@MainActor @Suite struct EmailCheckTests {
  private let stage = Stage()

  /// Returns the lines of a check while `script` changes the form, with their times.
  private func lines(_ script: @escaping @MainActor (EmailCheck) async throws -> Void) -> [String] {
    let check = EmailCheck(on: stage.scheduler)
    let notes = Notes()
    check.observer = { [stage] in notes.lines.append("\(stage.now) \($0)") }
    stage.enter {
      Task { try await script(check) }
      #expect(stage.settle() == .idle)
    }
    return notes.lines
  }

  private final class Notes {
    var lines: [String] = []
  }

  @Test func `an email is valid if its form is, and the server agrees or is not needed`() {
    #expect(EmailEvidence.all.count == 8)
    #expect(
      EmailEvidence.all.filter(\.isValid) == [
        EmailEvidence(looksRight: true, skipsServer: true, serverAgrees: true),
        EmailEvidence(looksRight: true, skipsServer: true, serverAgrees: false),
        EmailEvidence(looksRight: true, skipsServer: false, serverAgrees: true),
      ]
    )
  }

  @Test func `the server is asked half a second after the last key`() {
    let lines = lines { check in
      check.update(email: "ada@a.b", mode: .register)
      try await Task.sleep(for: .milliseconds(400))
      check.update(email: "ada@a.bc", mode: .register)
    }
    #expect(
      lines == [
        "0.9s asks the server about ada@a.bc",
        "1.4s looks true, skips false, server true → valid",
      ]
    )
  }

  @Test func `a change that is reverted within the window is not checked again`() {
    let lines = lines { check in
      check.update(email: "ada@a.b", mode: .register)
      try await Task.sleep(for: .seconds(2))
      check.update(email: "ada@a.bc", mode: .register)
      check.update(email: "ada@a.b", mode: .register)
    }
    #expect(lines.filter { $0.contains("asks") }.count == 1)
  }

  @Test func `a login is not looked up`() {
    let lines = lines { $0.update(email: "ada@a.b", mode: .login) }
    #expect(
      lines == ["0.5s looks true, skips true, server true → valid"]
    )
  }

  @Test func `a dropped subscription gives no more verdicts`() {
    let lines = lines { check in
      check.update(email: "ada@a.b", mode: .register)
      try await Task.sleep(for: .milliseconds(700))
      check.drop()
      check.update(email: "bob@a.b", mode: .register)
    }
    #expect(
      lines == [
        "0.5s asks the server about ada@a.b",
        "0.7s the subscription is dropped; no verdict will come",
      ]
    )
  }

  @Test(arguments: [
    ("a@b.c", true), ("a.b@c.d.e", true), ("", false), ("a", false), ("@b.c", false),
    ("a@b", false), ("a@.c", false), ("a@b.", false), ("a@b@c.d", false),
  ])
  func `an email has a name, an at sign and a domain`(text: String, isEmail: Bool) {
    #expect(looksLikeEmail(text) == isEmail)
  }

  @Test func `the words of the exercise come at 1.5s and at 3s`() {
    let words = TypedWords(on: stage.scheduler)
    stage.enter {
      Task { try await words.typeSample() }
      _ = stage.advance(by: .milliseconds(1499))
      #expect(words.debounced == "")
      _ = stage.advance(by: .milliseconds(1))
      #expect(words.debounced == "SwiftUI" && words.accumulated == "ILoveSwiftUI")
      _ = stage.advance(by: .milliseconds(1499))
      #expect(words.debounced == "SwiftUI" && words.accumulated == "ILoveSwiftUI")
      _ = stage.advance(by: .milliseconds(1))
      #expect(words.debounced == "Combine" && words.accumulated == "ILoveSwiftUIAndCombine")
      #expect(stage.settle() == .idle)
    }
  }
}
