import Staging
import Testing

@Suite struct QuietTests {
  private let stage = Stage()
  private let log = Log()

  @Test func `a watch is called when an instant has no work left, before time moves`() throws {
    let watch = stage.whenQuiet { [stage, log] in log("quiet at \(stage.now)") }
    try stage.run { [stage, log] in
      await Task.yield()
      log("ready at \(stage.now)")
      try? await Task.sleep(for: .seconds(1))
      log("awake at \(stage.now)")
    }
    withExtendedLifetime(watch) {}
    #expect(log.lines == ["ready at 0s", "quiet at 0s", "awake at 1s", "quiet at 1s"])
  }

  @Test func `work that a watch adds runs at this instant, and the watch is called again`() {
    var left = 2
    let watch = stage.whenQuiet { [stage, log] in
      log("quiet at \(stage.now), \(left) left")
      guard left > 0 else { return }
      left -= 1
      Task { log("task at \(stage.now)") }
    }
    stage.enter {
      _ = Task { [log] in
        try? await Task.sleep(for: .seconds(5))
        log("awake")
      }
    }
    #expect(stage.runReady() == .reached)
    withExtendedLifetime(watch) {}
    #expect(
      log.lines == [
        "quiet at 0s, 2 left", "task at 0s", "quiet at 0s, 1 left", "task at 0s",
        "quiet at 0s, 0 left",
      ]
    )
  }

  @Test func `a watch ends when it is released`() {
    var watch: QuietWatch? = stage.whenQuiet { [log] in log("quiet") }
    #expect(watch != nil)
    stage.runReady()
    watch = nil
    stage.runReady()
    #expect(log.lines == ["quiet"])
  }

  @Test func `watches are also called while a stage closes`() {
    let door = Door()
    let watch = stage.whenQuiet { door.open() }
    stage.enter {
      _ = Task { [log] in
        await door.wait()
        log("through")
      }
    }
    stage.close()
    withExtendedLifetime(watch) {}
    #expect(log.lines == ["through"])
  }
}
