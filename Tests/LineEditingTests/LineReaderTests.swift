import LibC
import Testing

@testable import LineEditing

@Suite struct LineReaderTests {
  @Test(arguments: ["a\nb\n", "a\nb", "a\r\nb\r\n", "\u{FEFF}a\nb\n"])
  func `lines have no line end`(text: String) throws {
    #expect(try read(Array(text.utf8)) == [.line("a"), .line("b"), .end])
  }

  @Test func `empty lines are lines, and an empty input has none`() throws {
    #expect(try read(Array("\n\n".utf8)) == [.line(""), .line(""), .end])
    #expect(try read([]) == [.end])
  }

  @Test func `a line above the limit is counted and skipped`() throws {
    let text = Array("12345678\n123456789\r\n12345678\r\nlast".utf8)
    let expected: [LineReader.Reading] = [
      .line("12345678"), .tooLong(byteCount: 10), .line("12345678"), .line("last"), .end,
    ]
    #expect(try read(text, byteLimit: 8) == expected)
  }

  @Test func `bytes that are not UTF-8 are reported with their offset and skipped`() throws {
    let text = Array("ok é".utf8) + [0xFF, 0x0A] + Array("next\n".utf8)
    #expect(try read(text) == [.notUTF8(offset: 5), .line("next"), .end])
  }

  @Test func `a line of a megabyte is one line`() throws {
    let line = String(repeating: "é", count: 1 << 19)
    #expect(try read(Array(line.utf8)) == [.line(line), .end])
    #expect(try read(Array((line + "x\n").utf8)) == [.tooLong(byteCount: 1 << 20 + 1), .end])
  }

  @Test func `lines are numbered from one, skipped ones too`() throws {
    let file = try TemporaryFolder().file(holding: Array("a\n".utf8) + [0xFF, 0x0A])
    var reader = LineReader(descriptor: file.number)
    _ = reader.next()
    #expect(reader.lineNumber == 1)
    _ = reader.next()
    #expect(reader.lineNumber == 2)
  }

  @Test func `a descriptor that cannot be read reports the error`() {
    var reader = LineReader(descriptor: -1)
    #expect(reader.next() == .failed(EBADF))
  }

  private func read(_ bytes: [UInt8], byteLimit: Int = 1 << 20) throws -> [LineReader.Reading] {
    let file = try TemporaryFolder().file(holding: bytes)
    var reader = LineReader(descriptor: file.number, byteLimit: byteLimit)
    var readings: [LineReader.Reading] = []
    repeat { readings.append(reader.next()) } while readings.last != .end
    return readings
  }
}
