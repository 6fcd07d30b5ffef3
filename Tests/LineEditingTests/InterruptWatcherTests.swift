import LibC
import Synchronization
import Testing

@testable import LineEditing

/// The thread that calls the handler of the running command for each Ctrl-C.
@Suite struct InterruptWatcherTests {
  @Test(.enabled(if: LineEditor.isBuiltIn))
  func `a late Ctrl-C belongs to the command during which it came`() throws {
    let watcher = try InterruptWatcher()
    let thread = try #require(watcher.start())
    defer { watcher.stop(thread) }
    let counts = Mutex((first: 0, second: 0))
    _ = watcher.exchange { counts.withLock { $0.first += 1 } }
    for _ in 0..<1_000 { watcher.pipe.send(UInt8(SIGINT)) }
    watcher.finish()
    _ = watcher.exchange { counts.withLock { $0.second += 1 } }
    watcher.finish()

    #expect(counts.withLock { $0 == (1_000, 0) })
  }
}
