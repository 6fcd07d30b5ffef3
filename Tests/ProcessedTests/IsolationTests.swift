#if os(Linux)
import Foundation
import Testing

/// What the compiler accepts and refuses of classes that load.
@Suite struct IsolationTests {
  /// Checks Swift code that imports `Loading`, and returns the compiler's errors.
  private func errors(in source: String) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Code.swift")
    try Data(("import Loading\n" + source).utf8).write(to: file)
    // The modules are next to the test bundle.
    let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "Modules")
    let output = Pipe()
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path, file.path,
    ]
    compiler.standardError = output
    try compiler.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    compiler.waitUntilExit()
    let errors = String(decoding: text, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("error: ") }.map(String.init)
    #expect((compiler.terminationStatus == 0) == errors.isEmpty)
    return errors
  }

  @Test func `a class of the main-actor protocols cannot load elsewhere without await`() throws {
    let model = """
      final class Model: MainActorLoadableSupport {
        var name: LoadableState<String> = .absent
        func refresh() { load(\\.name) { "Ann" } }
      }

      """
    #expect(try errors(in: model + "@MainActor func use(_ model: Model) { model.refresh() }") == [])
    #expect(
      try errors(
        in: model + "actor Other { func use(_ model: Model) async { await model.refresh() } }"
      ) == []
    )
    let refused = try errors(
      in: model + "actor Other { func use(_ model: Model) { model.refresh() } }"
    )
    #expect(refused.first?.contains("main actor-isolated") == true)
  }

  @Test func `a public class needs a public policy`() throws {
    let classes = """
      @MainActor public final class Model: LoadableSupport {
        public var name: LoadableState<String> = .absent
      }

      """
    let policy = "nonisolated var loadingPolicy: LoadingPolicy { .processed }"
    #expect(try errors(in: classes + "extension LoadingSupport { public \(policy) }") == [])
    let refused = try errors(in: classes + "extension LoadingSupport { \(policy) }")
    #expect(refused.first?.contains("must be declared public") == true)
  }
}
#endif
