import Foundation
import Testing

@testable import Harness

@Suite struct SelectingTests {
  // MARK: Filters

  @Test(arguments: [
    ("late", true), ("!late", false), ("name:answer", true), ("name:Late", false),
    ("!name:answer", false), ("tag:slow", true), ("tag:slo", false), ("!tag:http", false),
    ("!tag:quick", true), ("", true), ("name:", true), ("z", false),
  ])
  func `a filter checks path, name or tags, and can be negated`(
    text: String,
    allows: Bool
  ) {
    let filter = TranscriptFilter(text)
    let played = transcript("# An answer.\n# tags: slow, http\n> echo\n", path: "a/late.transcript")

    #expect((filter.allows(path: played.path) || filter.readsFile) == (allows || filter.readsFile))
    #expect(
      (filter.allows(played) && (filter.readsFile || filter.allows(path: played.path))) == allows
    )
  }

  private func selected(
    _ folder: TemporaryFolder,
    _ change: (inout TranscriptRunner.Options) -> Void
  ) throws(RunPlan.Refusal) -> [String] {
    var options = TranscriptRunner.Options()
    change(&options)
    let plan = try RunPlan(paths: [folder.path], options)
    return plan.entries.map { String($0.path.dropFirst(folder.path.count + 1)) }
  }

  @Test func `all filters must match, and select single fences of Markdown`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "# One.\n# tags: x\n> echo\n")
    try folder.write("b.transcript", "# Two.\n# tags: x\n> echo\n")
    try folder.write(
      "c.md",
      "```transcript\n# One.\n> echo\n```\n```transcript\n# Two.\n# tags: x\n> echo\n```\n"
    )

    #expect(
      try selected(folder) { $0.filters = [.init("tag:x"), .init("name:Two")] }
        == ["b.transcript", "c.md"]
    )
    var options = TranscriptRunner.Options()
    options.filters = [.init("tag:x")]
    #expect(try RunPlan(paths: [folder.path + "/c.md"], options).entries.map(\.fences) == [[1]])
    #expect(throws: RunPlan.Refusal.self) {
      try selected(folder) { $0.filters = [.init("tag:x"), .init("!tag:x")] }
    }
  }

  @Test func `tags may be in several comments, without duplicates`() {
    let played = transcript("# tags: slow, http\n# An answer.\n# tags: http late\n> echo\n")

    #expect(played.tags == ["slow", "http", "late"])
    #expect(played.name == "An answer.")
  }

  // MARK: Paths

  @Test func `a file with several paths is selected once`() throws {
    let folder = try TemporaryFolder()
    try folder.write("sub/a.transcript", "> echo\n")
    try folder.write("b.transcript", "> echo\n")
    let (path, file) = (folder.path, folder.path + "/sub/a.transcript")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/link.transcript",
      withDestinationPath: file
    )
    let chosen = { TranscriptSelection(paths: $0).entries.map(\.path) }
    let all = [path + "/b.transcript", path + "/link.transcript", file]

    #expect(chosen([path, path + "/./sub/../", path + "//sub"]) == all)
    #expect(chosen([path + "/sub//a.transcript", path]) == all)
    #expect(chosen([file, path + "/sub/./a.transcript"]) == [file])
    #expect(chosen([path + "/link.transcript", file]) == [path + "/link.transcript", file])
    #expect(TranscriptSelection(paths: [path + "/gone"]).entries.map(\.problem) == [.missing])
  }

  // MARK: Near misses

  @Test(arguments: [
    ("typo.transcrpt", true), ("a.transcripts", true), ("A.TRANSCRIPT", true),
    ("a.transcript.txt", true), ("a.transcript.disabled", true), ("a.transcript.original", true),
    ("a.Transcript.text", true), ("a.b.trasncript", true),
    ("a.transcript.pending", false), ("a.transcript.orig", false), ("a.transcript~", false),
    ("a.transcript.txt~", false), ("a.typescript", false), ("a.script", false), ("a.txt", false),
    ("transcript.txt", true), ("transcrpt", false), (".transcrpt", false), (".a.transcrpt", false),
  ])
  func `a file whose name is almost that of a transcript is collected`(
    name: String,
    isMissed: Bool
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("x/" + name, "> echo\n")
    try folder.write("y", "> echo\n")
    symlink("../y", folder.path + "/x/link-" + name)
    let selection = TranscriptSelection(paths: [folder.path])
    let names = selection.nearMisses.map { String($0.dropFirst(folder.path.count + 3)) }

    let isLinkMissed = isMissed || name == ".transcrpt" || name == ".a.transcrpt"
    #expect(selection.entries.isEmpty)
    #expect(Set(names) == Set((isMissed ? [name] : []) + (isLinkMissed ? ["link-" + name] : [])))
  }

  // MARK: Shards

  @Test(arguments: 1...9)
  func `each file is in exactly one shard, with and without times`(count: Int) {
    var numbers = SeededNumbers(UInt64(count))
    let keys = (0..<200).map {
      "folder\($0 % 7)/\(Int.random(in: 0..<1_000_000, using: &numbers))-\($0)"
    }
    let times = keys.map { _ in
      Bool.random(using: &numbers) ? Int.random(in: 0..<9_999, using: &numbers) : nil
    }
    let shards = (0..<count).compactMap { TranscriptShard(index: $0, of: count) }

    #expect(shards.flatMap { $0.files(of: $0.parts(keys)) }.sorted() == Array(keys.indices))
    #expect(
      shards.flatMap { $0.files(of: $0.parts(keys) { times[$0] }) }.sorted() == Array(keys.indices)
    )
  }

  @Test func `shards by times take about equally long`() {
    let keys = (0..<100).map { "t\($0)" }
    let time = { (file: Int) -> Int? in file * file }
    let loads = (0..<4).compactMap { TranscriptShard(index: $0, of: 4) }
      .map { $0.files(of: $0.parts(keys, time: time)).reduce(0) { $0 + $1 * $1 } }
    let (least, most) = (loads.min() ?? 0, loads.max() ?? 0)

    #expect(Double(most) < Double(least) * 1.05)
  }

  @Test func `a file stays in its shard if other files change`() throws {
    let shard = try #require(TranscriptShard("2/3"))
    let all = (0..<50).map { "t\($0)" }
    let some = all.filter { !$0.hasSuffix("3") }
    let mine = Set(shard.files(of: shard.parts(all)).map { all[$0] })

    #expect(Set(shard.files(of: shard.parts(some)).map { some[$0] }) == mine.intersection(some))
  }

  @Test(arguments: ["0/3", "4/3", "1", "1/0", "a/b", "1/2/3", "", "-1/2", "1/99999999"])
  func `an invalid part is not a shard`(text: String) {
    #expect(TranscriptShard(text) == nil)
  }

  // MARK: Order

  @Test func `failed files are played first, then slow ones, then by path`() throws {
    let history = try #require(
      TestHistory(
        Array("test history 1\nfailed 10 d\npassed 900000 c\nfailed 70000 e\npassed 5 z\n".utf8)
          .sortedLines
      )
    )
    let order = PlayOrder(["a", "b", "c", "d", "e"], history)

    #expect(order.files == [4, 3, 2, 0, 1])
    #expect(PlayOrder(["a", "b"], TestHistory()).files == [0, 1])
  }

  @Test func `a seed shuffles each round, the same way every time`() {
    let order = PlayOrder(count: 20, rounds: 3, seed: 7)

    #expect(order.files == PlayOrder(count: 20, rounds: 3, seed: 7).files)
    #expect(order.files != PlayOrder(count: 20, rounds: 3, seed: 8).files)
    for round in 0..<3 {
      #expect(order.files[round * 20..<round * 20 + 20].sorted() == Array(0..<20))
    }
    #expect(order.files[..<20] != order.files[20..<40])
  }

  // MARK: Names of files

  @Test(arguments: [
    ("a/b.md", "a/b.md"), ("./a.md", "a.md"), ("/home/me/a.md", "a.md"),
    ("/home/you/a", "../you/a"),
    ("a/../b", "b"), ("../../x", "../../x"), ("a//b", "a/b"), ("/", "../.."),
    ("a\nb\\", "a\\u{a}b\\\\"),
    (".hidden", ".hidden"), ("/home/me/\u{301}a", "\u{301}a"),
    ("/home/m\u{E9}/a", "../m\u{E9}/a"),
  ])
  func `a file has one name, relative to the folder of the run`(path: String, key: String) {
    #expect(Array(PathKey(folder: "/home/me").key(path).utf8) == Array(key.utf8))
  }

  @Test func `the names of files in one folder equal their single names`() {
    let paths = [
      "/home/you/a", "/home/you/b", "/home/you/.c", "/home/you/..", "/home/you/d\n", "/home/you/",
      "/home/me/a", "/home/me/b", "/x", "/y", "a//b", "a//c", "a\tb/c", "a\tb/d", "c", "./d", "",
      "/\u{E9}/a", "/e\u{301}/a", "/home/me/\u{301}a", "/home/me/\u{301}b",
    ]
    let naming = PathKey(folder: "/home/me")

    #expect(naming.keys(paths).map { Array($0.utf8) } == paths.map { Array(naming.key($0).utf8) })
  }

  @Test(arguments: [
    ("transcripts/flaky/../../a.rehearse", "a.rehearse"), ("./a.md", "a.md"), ("../a", "../a"),
    ("/home/me/./b/a.md", "b/a.md"), ("/home/you/../x/a.md", "/home/x/a.md"),
  ])
  func `a path is shown as a user would type it`(path: String, typed: String) {
    #expect(PathKey(folder: "/home/me").typed(path) == typed)
  }
}

extension [UInt8] {
  /// The lines of a history in the order of their paths.
  fileprivate var sortedLines: [UInt8] {
    let lines = String(decoding: self, as: UTF8.self).split(separator: "\n").map(String.init)
    let rest = lines.dropFirst().sorted {
      $0.split(separator: " ")[2] < $1.split(separator: " ")[2]
    }
    return Array(([lines[0]] + rest).map { $0 + "\n" }.joined().utf8)
  }
}
