import Foundation
import Synchronization
import Testing

@testable import Exploring
@testable import RehearsalTesting

/// The picture of a failing schedule, which a test keeps as an attachment.
@Suite struct RunPictureTests {
  @MainActor private final class Screen {
    var shown = ""
    func ask(_ text: String) { Task(name: text) { shown = text } }
  }

  private func picture(of schedule: Schedule) throws -> RunPicture {
    let options = ScenarioOptions(issues: .swiftTesting(at: #_sourceLocation))
    let executor = options.executor { run in
      let screen = Screen()
      screen.ask("old")
      screen.ask("new")
      try await Task.sleep(for: .seconds(2))
      run.note("shows \(screen.shown)")
    }
    return try #require(executor.player.picture(of: schedule))
  }

  @Test func `each task has a row, and so have the notes`() throws {
    let schedule = try #require(Schedule("1:1"))
    let picture = try picture(of: schedule)
    #expect(picture.name == "schedule 1-1.svg")
    for text in ["'old'", "'new'", "notes", "shows old", "Schedule '1:1'", "RunPictureTests.swift"]
    {
      #expect(picture.svg.replacing("&#39;", with: "'").contains(text))
    }
    #expect(try self.picture(of: Schedule()).svg.contains("shows new"))
  }

  @Test func `a table has a column for each task, beside the nearest run that passes`() throws {
    let schedule = try #require(Schedule("1:1"))
    let picture = try picture(of: schedule)
    let names = ["schedule 1-1.svg"] + ["svg", "html", "txt"].map { "schedule 1-1 table.\($0)" }
    #expect(picture.files.map(\.name) == names)
    let text = try #require(picture.files.last?.text)
    for part in [
      "This run, schedule '1:1'", "The nearest run that passes, in the default schedule", "'old'",
      "'new'", "→ shows old", "→ shows new", "RunPictureTests.swift",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func `two pictures of a schedule are equal`() throws {
    let schedule = try #require(Schedule("1:1"))
    #expect(try picture(of: schedule) == picture(of: schedule))
  }

  @Test(arguments: ["a crash", "exit"])
  func `a run that is stopped has a picture, beside the nearest run that passes`(end: String)
    async throws
  {
    let pictures = Mutex<[RunPicture]>([])
    var issues = IssueRecorder(place: "here") { _, _, _ in }
    issues.attach = { picture in pictures.withLock { $0.append(picture) } }
    let search = ScenarioSearch(schedules: 100, strategy: nil, seed: 0, stopAfter: nil, until: nil)
    _ = try await ScenarioOptions(issues: issues).search(search) { run in
      let screen = Screen()
      screen.ask("old")
      screen.ask("new")
      try await Task.sleep(for: .seconds(2))
      run.note("shows \(screen.shown)")
      if end == "exit", screen.shown == "old" { exit(0) }
      precondition(screen.shown == "new")
    }

    let found = pictures.withLock(\.self)
    #expect(found.map(\.name) == ["schedule 1-1.svg"])
    let text = try #require(found.first?.files.last?.text)
    for part in [
      "This run, schedule '1:1'", "The nearest run that passes, in the default schedule", "'old'",
      "→ shows old", "→ shows new",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }
}
