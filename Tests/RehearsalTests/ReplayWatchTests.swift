import Testing

@testable import Rehearsal

@Suite struct ReplayWatchTests {
  @Test func `a command that takes its time is named once, with its transcript`() {
    let watch = ReplayWatch()
    watch.watch("settle", of: "a.transcript") {
      let early = (1..<ReplayWatch.limitInSeconds).flatMap { _ in watch.tick() }
      #expect(early == [])
      let notes = watch.tick()
      #expect(notes.count == 1)
      #expect(notes.first?.hasPrefix("note: a.transcript: ") == true)
      #expect(notes.first?.contains("\n  > settle\n") == true)
      #expect(watch.tick() == [])
    }
  }

  @Test func `each command has its time anew`() {
    let watch = ReplayWatch()
    for _ in 1...ReplayWatch.limitInSeconds {
      let notes = watch.watch("wait 1s", of: "a.transcript") { watch.tick() }
      #expect(notes == [])
    }
    #expect(watch.tick() == [])
  }
}
