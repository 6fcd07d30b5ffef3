import RehearsalBase
import Testing

@testable import Rehearsal
@testable import Script

/// Values that are made from others have a maximum size, in every stage.
@MainActor @Suite struct PipeSizeTests {
  private let run = PipeRun()
  private static let tooLarge = "0.000s  p  failed: \"a value of more than 1000000 bytes\""

  nonisolated private static func stages(_ stage: String, times count: Int) -> String {
    String(repeating: " | " + stage, count: count)
  }

  @Test(arguments: [
    stages("map \"{value}{value}\"", times: 40),
    stages("map [\"{value}\", \"{value}\"]", times: 40),
    stages("map {\"a\": \"{value}{value}\", \"b\": [\"{value}!\"]}", times: 40),
    stages("flatMap (just \"{value}{value}\")", times: 40),
    stages("flatMap (load \"{value}{value}\")", times: 40),
    stages("flatMap (fail \"no\" | replaceError \"{value}{value}\")", times: 40),
    stages("map \"{value}{value}\"", times: 15) + " | merge large, large, large | collect",
    stages("map \"{value}{value}\"", times: 15) + " | merge large, large, large | scan list | last",
    stages("map \"{value}{value}\"", times: 15) + " | merge large, large, large | scan join | last",
  ])
  func `a pipe that creates a value that is too large fails`(stages: String) throws {
    let large = Self.stages("map \"{value}{value}\"", times: 15)
    run.perform("publisher large = just \"0123456789\"\(large)")

    #expect(try run.pipe("p", "just \"0123456789\"" + stages) == [Self.tooLarge])
  }

  @Test func `a text with many placeholders has a maximum size`() {
    let value = JSONValue.string(String(repeating: "x", count: 900_000))
    let template = JSONValue.array(
      Array(repeating: .string(String(repeating: "{value}", count: 1_000)), count: 1_000)
    )

    let filled = template.filled(with: value)
    #expect(filled.isTooLarge)
    guard case .array(let values) = filled, case .string(let first)? = values.first else {
      Issue.record("A list stays a list.")
      return
    }
    #expect(first.utf8.count == 1_800_000)
    #expect(values.last == .null)
  }
}
