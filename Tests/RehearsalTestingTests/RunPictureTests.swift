import Testing

@testable import Exploring
@testable import RehearsalTesting

/// The picture of a failing schedule, which a test keeps as an attachment.
@Suite struct RunPictureTests {
  @MainActor private final class Screen {
    var shown = ""
    func ask(_ text: String) { Task(name: text) { shown = text } }
  }

  private func picture(of schedule: Schedule) -> RunPicture {
    let options = ScenarioOptions(issues: .swiftTesting(at: #_sourceLocation))
    let executor = options.executor { run in
      let screen = Screen()
      screen.ask("old")
      screen.ask("new")
      try await Task.sleep(for: .seconds(2))
      run.note("shows \(screen.shown)")
    }
    return executor.player.picture(of: schedule)
  }

  @Test func `each task has a row, and so have the notes`() throws {
    let schedule = try #require(Schedule("1:1"))
    let picture = picture(of: schedule)
    #expect(picture.name == "schedule 1-1.svg")
    for text in ["'old'", "'new'", "notes", "shows old", "Schedule '1:1'", "RunPictureTests.swift"]
    {
      #expect(picture.svg.replacing("&#39;", with: "'").contains(text))
    }
    #expect(self.picture(of: Schedule()).svg.contains("shows new"))
  }

  @Test func `a table has a column for each task, beside the nearest run that passes`() throws {
    let schedule = try #require(Schedule("1:1"))
    let picture = picture(of: schedule)
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
    #expect(picture(of: schedule) == picture(of: schedule))
  }
}
