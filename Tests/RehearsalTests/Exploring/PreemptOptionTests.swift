#if os(Linux) && canImport(Glibc)
import Exploring
import Foundation
import Testing

@testable import Rehearsal

/// The option 'preempt' of a session.
@MainActor @Suite struct PreemptOptionTests {
  /// A counter whose increment has two critical sections.
  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }

    func increment() {
      let old = value
      lock.withLock { count = old + 1 }
    }
  }

  private static let scene = Scene("counter", "A counter with a lock.") { scene in
    let counter = Counter()
    scene.property("count") { counter.value }
    scene.command("both", "Increments it in two tasks.") {
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { counter.increment() } }
      }
    }
  }

  private static let commands = ["scene counter", "both", "settle", "expect count 2"]

  @Test func `a search finds a lost update, and a session repeats it`() throws {
    #expect(try explored(Self.commands, scenes: [Self.scene]).failures.isEmpty)

    let commands = ["set preempt locks"] + Self.commands
    let failure = try #require(try explored(commands, scenes: [Self.scene]).failures.first)
    let printed = performed(["schedule \(failure.schedule)"] + commands, scenes: [Self.scene])
    #expect(printed.contains { $0.contains("count") && $0.contains("1") && $0.hasPrefix("error") })
  }

  @Test func `a session keeps the option`() {
    #expect(performed(["set preempt locks", "set"]).contains { $0.hasPrefix("preempt  locks") })
    #expect(performed(["set"]).contains { $0.hasPrefix("preempt  none") })
  }
}
#endif
