import Foundation
import Loading
import Staging
import Testing

/// Checks docs/processed.md: its code is in the files of this folder, and does what the page says.
@MainActor
@Suite struct PageTests {
  private static nonisolated let root = #filePath.split(
    separator: "/",
    omittingEmptySubsequences: false
  ).dropLast(3).joined(separator: "/")

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }

  @Test func `each piece of code of the page is a file here`() throws {
    let page = try Self.text("docs/processed.md")
    let fences = page.split(separator: "```swift\n").dropFirst().map {
      String($0.prefix(upTo: $0.firstRange(of: "```")?.lowerBound ?? $0.endIndex))
    }
    let files = try ["Policy", "ProfileModel", "Profile"].map {
      try Self.text("Tests/ProcessedTests/Page/\($0).swift")
    }
    try #require(fences.count == files.count)
    for (fence, file) in zip(fences, files) { #expect(file.hasSuffix(fence)) }
  }

  @Test func `the policy of the module is that of a class`() {
    let stage = Stage()
    stage.enter {
      let model = ProfileModel()
      let server = ProfileServer()
      model.refresh(from: server)
      Task { await model.save("Bo", to: server) }
      #expect(model.name == .loading)
      #expect(stage.settle() == .idle)
      #expect(model.name == .loaded("Ann"))
      #expect(model.action == .finished(.saving))
      #expect(server.written == ["Bo"])

      model.refresh(from: server)
      model.cancel(\.name)
      #expect(stage.settle() == .idle)
      #expect(model.name == .loading)
    }
  }

  @Test func `the wrappers of the page behave as in Processed`() {
    let stage = Stage()
    stage.enter {
      let profile = Profile()
      profile.$name.load {
        try await Task.sleep(for: .seconds(1))
        return "Ann"
      }
      profile.$name.cancel()
      profile.$saving.run {}
      #expect(stage.settle() == .idle)
      #expect(profile.name == .loading)
      #expect(profile.saving.hasFinished)
    }
  }
}

@MainActor final class ProfileServer {
  private(set) var written: [String] = []

  func name() async throws -> String {
    try await Task.sleep(for: .seconds(1))
    return "Ann"
  }

  func write(_ name: String) async throws {
    try await Task.sleep(for: .seconds(1))
    written.append(name)
  }
}
