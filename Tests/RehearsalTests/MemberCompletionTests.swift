import Observation
import Testing

@testable import Rehearsal

/// Completion and hints after the name of a member.
@MainActor @Suite struct MemberCompletionTests {
  @MainActor @Observable fileprivate final class Shop {
    var coupon = ""
    let phase = "shopping"
  }

  private static let shop = Scene("shop", "A shop.") { scene in
    let shop = Shop()
    scene.property("coupon", of: shop, \.coupon)
    scene.property("phase", of: shop, \.phase)
    _ = scene.journal("notes")
    scene.command("buy", "Buys.") {}
  }

  @Test(arguments: [
    ("expect phase ", ["map", "never", "not"]),
    ("expect phase never ", []),
    (
      "expect profile ",
      ["map", "never", "not", "absent", "loading", "error", "loaded", "attempts"]
    ),
    ("expect query ", ["map", "never", "not", "finished", "failed"]),
    ("set coupon ", ["value"]),
    ("set profile l", ["loading", "loaded"]),
    ("set query f", ["fail", "failed", "finish", "finished"]),
    ("cancel ", ["profile"]),
    ("in 1s cancel ", ["profile"]),
    ("view ", ["profile"]),
    ("set ", ["coupon", "profile", "query"] + SessionOption.all.map(\.name)),
    ("log ", ["coupon", "last", "notes", "phase", "profile", "query"]),
  ])
  func `completion offers the words that a member accepts`(text: String, candidates: [String]) {
    let host = SessionHost(files: MemoryFiles(), scenes: [Self.shop]) { _ in }
    for command in ["scene shop", "loadable profile", "input query"] { host.perform(command) }
    let offered = host.completion(of: text).candidates.map(\.text)
    #expect(offered.sorted() == candidates.sorted())
    host.end()
  }

  @Test(arguments: [
    ("load profile 1 after 1", ["1ms", "1s", "1m", "1h", "1us", "1ns"]),
    ("wait 2.5m", ["2.5ms", "2.5m"]), ("wait 3s", ["3s"]), ("wait ", []),
  ])
  func `completion offers the units of a duration`(text: String, candidates: [String]) {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    host.perform("loadable profile")
    #expect(host.completion(of: text).candidates.map(\.text) == candidates)
    host.end()
  }

  @Test(arguments: [
    ("source tr/o", ["\"tr/one two.transcript\""], 4),
    ("source tr/r", ["\"tr/r \\\"b\\\".json\""], 4),
    ("source \"tr/one t", ["\"tr/one two.transcript\""], 9), ("source \"tr/p", ["\"tr/plain\""], 5),
    ("source tr/p", ["tr/plain"], 4), ("source \"tr/r \\\"b", ["\"tr/r \\\"b\\\".json\""], 9),
    ("source m", ["\"my tests/a\""], 1), ("source \"my tests/", ["\"my tests/a\""], 10),
    ("source tr/", ["\"tr/one two.transcript\"", "\"tr/plain\"", "\"tr/r \\\"b\\\".json\""], 3),
    ("load x \"tr/o", [], 4), ("routes from a+", ["a+b"], 2),
  ])
  func `completion quotes paths that need it`(text: String, candidates: [String], replacing: Int) {
    let fixtures: [(name: String, bytes: [UInt8])] = [
      ("tr/one two.transcript", []), ("tr/r \"b\".json", []), ("tr/plain", []), ("my tests/a", []),
      ("a+b", []),
    ]
    let host = SessionHost(files: MemoryFiles(fixtures: Fixtures(fixtures))) { _ in }
    let completion = host.completion(of: text)
    host.end()

    #expect(completion.candidates.map(\.text).sorted() == candidates.sorted())
    #expect(candidates.isEmpty || completion.replacing == replacing)
  }
}
