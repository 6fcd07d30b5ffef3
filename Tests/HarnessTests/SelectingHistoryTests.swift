import Foundation
import Testing

@testable import Harness

@Suite struct SelectingHistoryTests {
  private func history(_ records: [String: TestHistory.Record]) -> TestHistory {
    TestHistory().bytes(adding: records) { _ in false }.flatMap { TestHistory($0) } ?? TestHistory()
  }

  @Test func `a history is read as it was written, with any names`() {
    var numbers = SeededNumbers(3)
    var records: [String: TestHistory.Record] = [:]
    for index in 0..<500 {
      let key = ["a", "ä", "z/z", "a b", "é/\(index)", "-"].randomElement(using: &numbers) ?? ""
      records["\(key)\(Int.random(in: 0..<999, using: &numbers))"] = .init(
        hasFailed: Bool.random(using: &numbers),
        microseconds: Int.random(in: 0..<1_000_000, using: &numbers)
      )
    }
    let history = history(records)

    for (key, record) in records { #expect(history[key] == record) }
    let keys = records.keys.sorted().flatMap { [$0, "none", $0] }
    #expect(history.records(of: keys) == keys.map { records[$0] })
    #expect(Set(history.failed) == Set(records.filter(\.value.hasFailed).keys))
  }

  @Test func `a damaged or other file is not a history`() {
    let bytes = Array("test history 1\npassed 1 a\nfailed 22 b\n".utf8)

    #expect(TestHistory(bytes) != nil)
    #expect(TestHistory([]) == nil)
    #expect(TestHistory(Array("something else\n".utf8)) == nil)
    #expect(TestHistory(Array("test history 1\npassed 1 b\nfailed 22 a\n".utf8)) == nil)
    for end in bytes.indices.dropFirst() {
      // Cut between two lines it is a shorter history; cut anywhere else it is invalid.
      #expect((TestHistory(Array(bytes[..<end])) != nil) == [15, 26].contains(end))
    }
  }

  @Test func `any bytes after the head are parsed or refused without a trap`() {
    var numbers = SeededNumbers(9)
    let alphabet = Array("pasedfil 0123456789\nab/".utf8)
    for _ in 0..<2_000 {
      let count = Int.random(in: 0..<40, using: &numbers)
      let tail = (0..<count).compactMap { _ in alphabet.randomElement(using: &numbers) }
      _ = TestHistory(Array("test history 1\n".utf8) + tail)
    }
    #expect(TestHistory(Array("test history 1\npassed 99999999999999999999999 a\n".utf8)) == nil)
  }

  @Test func `a time of more than a day is invalid and is never written`() throws {
    let longest = TestHistory.Record.longestInMicroseconds
    let line = { (time: Int) in Array("test history 1\npassed \(time) a\n".utf8) }
    #expect(TestHistory(line(longest)) != nil)
    #expect(TestHistory(line(longest + 1)) == nil)

    let history = history(["a": .init(hasFailed: false, microseconds: .max)])
    let times = (0..<1_000).map { _ in history["a"]?.microseconds }
    let keys = times.indices.map(String.init)
    #expect(times[0] == longest)
    #expect(TranscriptShard(index: 0, of: 1)?.parts(keys) { times[$0] } == keys.map { _ in 0 })
  }

  @Test func `records of unplayed files are kept, those of deleted files are not`() throws {
    let old = history([
      "a": .init(hasFailed: true, microseconds: 1), "b": .init(hasFailed: true, microseconds: 1),
      "c": .init(hasFailed: false, microseconds: 1),
    ])
    let bytes = try #require(
      old.bytes(adding: ["a": .init(hasFailed: false, microseconds: 5)]) { $0 == "c" }
    )

    #expect(String(decoding: bytes, as: UTF8.self) == "test history 1\npassed 1 a\nfailed 1 b\n")
    #expect(
      old.bytes(adding: ["b": .init(hasFailed: true, microseconds: 1_900)]) { _ in false } == nil
    )
  }

  @Test func `new, kept and removed records are merged in order`() throws {
    var numbers = SeededNumbers(5)
    var known: [String: TestHistory.Record] = [:]
    var file = history([:])
    for _ in 0..<200 {
      var news: [String: TestHistory.Record] = [:]
      for _ in 0..<Int.random(in: 0..<12, using: &numbers) {
        news["\(Int.random(in: 0..<60, using: &numbers))"] = .init(
          hasFailed: Bool.random(using: &numbers),
          microseconds: Int.random(in: 0..<9_000, using: &numbers)
        )
      }
      let gone = "\(Int.random(in: 0..<60, using: &numbers))"
      if let bytes = file.bytes(adding: news, without: { $0 == gone }) {
        file = try #require(TestHistory(bytes))
      }
      if news[gone] == nil { known[gone] = nil }
      known.merge(news) { $0.updated(by: $1) }
      #expect(file.count == known.count)
      for (key, record) in known { #expect(file[key] == record) }
    }
  }

  @Test func `concurrent runs lose no records`() throws {
    let folder = try TemporaryFolder()
    let file = TestHistoryFile(path: folder.path + "/h", isNamed: true)
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      _ = file.write(["t\(number)": .init(hasFailed: true, microseconds: 1)]) { _ in false }
    }

    #expect(try file.read().history.failed.count == 16)
    #expect(try folder.names == ["h"])
  }

  @Test(arguments: ["not one\n", "\n", "# A story.\n> now\n  0.000s\n", "test history 2\n"])
  func `a named file of another kind is refused and not changed`(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("h", text)
    let file = TestHistoryFile(path: folder.path + "/h", isNamed: true)

    let refusal = #expect(throws: RunPlan.Refusal.self) { try file.read() }
    #expect(refusal?.problems == ["\(file.path):1: this is not the first line of a test history"])
    #expect(refusal?.hint?.hasPrefix("name a file that '--history' wrote") == true)
    let note = file.write(["t": .init(hasFailed: true, microseconds: 1)]) { _ in false }
    #expect(note == refusal?.problems.first)
    #expect(try folder.text("h") == text)
  }

  @Test func `a named file that is too large is refused and not changed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("h", "test history 1\n")
    try #require(truncate(folder.path + "/h", 64 << 20 + 1) == 0)
    let file = TestHistoryFile(path: folder.path + "/h", isNamed: true)

    let refusal = #expect(throws: RunPlan.Refusal.self) { try file.read() }
    #expect(refusal?.problems == ["\(file.path): larger than 64 MB, so it is not a test history"])
    #expect(file.write(["t": .init(hasFailed: true, microseconds: 1)]) { _ in false } != nil)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.size] as? Int == 64 << 20 + 1)
  }

  @Test(arguments: [("test history 1\npass", true), ("test history 1\npass", false), ("x", false)])
  func `a damaged history, or another file at its default path, is replaced`(
    text: String,
    isNamed: Bool
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("h", text)
    let file = TestHistoryFile(path: folder.path + "/h", isNamed: isNamed)

    let words = "\(file.path) is not a valid test history; "
    #expect(try file.read().note == words + "it is replaced")
    #expect(try file.read(isKept: true).note == words + "it is not used")
    #expect(file.write(["t": .init(hasFailed: true, microseconds: 1)]) { _ in false } == nil)
    #expect(try folder.text("h") == "test history 1\nfailed 1 t\n")
  }

  @Test func `an empty file is an empty history`() throws {
    let folder = try TemporaryFolder()
    try folder.write("h", "")
    let file = TestHistoryFile(path: folder.path + "/h", isNamed: true)

    #expect(try file.read().note == nil)
    #expect(file.write(["t": .init(hasFailed: true, microseconds: 1)]) { _ in false } == nil)
    #expect(try folder.text("h") == "test history 1\nfailed 1 t\n")
  }

  @Test func `a history that cannot be written is only reported`() {
    let file = TestHistoryFile(path: "/nowhere/at/all", isNamed: true)
    let note = file.write(["t": .init(hasFailed: true, microseconds: 1)]) { _ in false }

    #expect(note == "the history /nowhere/at/all cannot be written: there is no such file")
  }

  @Test func `a default history that exists and cannot be used is reported`() throws {
    let folder = try TemporaryFolder()
    let file = TestHistoryFile(path: folder.path, isNamed: false)
    let none = TestHistoryFile(path: folder.path + "/none/h", isNamed: false)
    try folder.write("none", "")

    let words = "the history \(folder.path) cannot be"
    #expect(try file.read().note == "\(words) read: this is a folder")
    #expect(
      file.write(["t": .init(hasFailed: true, microseconds: 1)]) { _ in false }?
        .hasPrefix("\(words) written: ") == true
    )
    #expect(none.write(["t": .init(hasFailed: true, microseconds: 1)]) { _ in false } == nil)
  }

  @Test func `a long history drops deleted files when it changes`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = TestHistoryFile(path: folder.path + "/history", isNamed: false)
    let gone = (0...10_000).map {
      ("/gone/\($0)", TestHistory.Record(hasFailed: false, microseconds: 1))
    }
    let news = ["/": TestHistory.Record(hasFailed: true, microseconds: 1)]

    _ = file.write(Dictionary(uniqueKeysWithValues: gone)) { _ in false }
    #expect(try file.read().history.count == 10_001)
    _ = file.write(news) { _ in false }
    #expect(try file.read().history.count == 1)
    #expect(try file.read().history.failed == ["/"])
  }
}

extension TestHistory {
  fileprivate subscript(key: String) -> Record? { records(of: [key])[0] }

  fileprivate func bytes(
    adding news: [String: Record],
    without isGone: (String) -> Bool
  ) -> [UInt8]? {
    let news = Array(news)
    return bytes(adding: { news[$0].value }, of: news.map(\.key), without: isGone)
  }
}

extension TestHistoryFile {
  fileprivate func write(
    _ news: [String: TestHistory.Record],
    without isGone: (String) -> Bool
  ) -> String? {
    let news = Array(news)
    return write({ news[$0].value }, of: news.map(\.key), without: isGone)
  }
}
