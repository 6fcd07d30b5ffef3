import Staging
import Synchronization
import Testing

@Suite struct StageTests {
  @Test func `main actor is held in enter`() {
    let stage = Stage()
    var ran = false
    stage.enter {
      MainActor.assertIsolated()
      MainActor.assumeIsolated { ran = true }
    }
    #expect(ran)
  }

  @Test func `sleeps of both kinds wake in virtual time`() {
    let stage = Stage()
    let log = Mutex<[String]>([])
    let stop = stage.run {
      try? await Task.sleep(for: .seconds(2))
      log.withLock { $0.append("\(stage.now)") }
      try? await stage.clock.sleep(for: .seconds(2))
      log.withLock { $0.append("\(stage.now)") }
      await MainActor.run {
        MainActor.assertIsolated()
        MainActor.assumeIsolated { log.withLock { $0.append("main") } }
      }
    }
    #expect(stop == .idle)
    #expect(log.withLock { $0 } == ["2s", "4s", "main"])
  }
}
