import Harness
import LibC
import Synchronization
import Testing
import Workers

@testable import Rehearsal

@Suite struct ReplayWatchTests {
  /// The activity of a waiting thread.
  private func waiting(_ thread: Int32) -> ProcessActivity? {
    ProcessActivity(ran: 7, isReady: false)
  }

  @Test func `a command that uses the processor too long is reported`() {
    let watch = ReplayWatch()
    watch.watch(.command("settle", of: "a.transcript")) {
      let named = (1...60).first { second in
        !watch.tick { _ in ProcessActivity(ran: second * 250, isReady: true) }.isEmpty
      }
      #expect(named == 17)
    }
  }

  @Test func `a command that takes too long is reported once, with its transcript`() {
    let watch = ReplayWatch()
    watch.watch(.command("settle", of: "a.transcript")) {
      let early = (1..<ReplayWatch.limitInSeconds).flatMap { _ in watch.tick(waiting) }
      #expect(early == [])
      let notes = watch.tick(waiting)
      #expect(notes.count == 1)
      #expect(notes.first?.hasPrefix("note: a.transcript: ") == true)
      #expect(notes.first?.contains("\n  > settle\n") == true)
      #expect(watch.tick(waiting) == [])
    }
  }

  @Test func `each command has its own time limit`() {
    let watch = ReplayWatch()
    for _ in 1...ReplayWatch.limitInSeconds {
      let notes = watch.watch(.command("wait 1s", of: "a.transcript")) { watch.tick(waiting) }
      #expect(notes == [])
    }
    #expect(watch.tick(waiting) == [])
  }

  @Test func `a run that takes too long is reported once`() {
    let watch = ReplayWatch()
    let run = Mutex<Int?>(0)
    let subject = ReplayWatch.Subject {
      run.withLock(\.self)
    } report: {
      ReplayWatch.Report(title: "slow", hint: "none")
    } activity: { thread in
      ["of \(thread ?? 0)"]
    } thread: {
      7
    }
    func ticks() -> [String] {
      (0..<2 * ReplayWatch.limitInSeconds).flatMap { _ in watch.tick(waiting) }
    }
    watch.watch(subject) {
      for number in 1...2 * ReplayWatch.limitInSeconds {
        run.withLock { $0 = number }
        #expect(watch.tick(waiting) == [])
      }
      run.withLock { $0 = nil }
      #expect(ticks() == [])
      run.withLock { $0 = 100 }
      let seconds = ReplayWatch.limitInSeconds
      #expect(
        ticks() == ["note: slow has been under way for \(seconds) seconds\nof 7\nhint: none\n"]
      )
      #expect(watch.quitNotes == ["SIGQUIT: slow\nof 7\n"])
    }
  }
}
