import Testing

@testable import Workers

/// Lines in memory that outlives its writer.
@Suite struct NewestLinesTests {
  private func withLines(of size: Int, _ body: (NewestLines) -> Void) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    body(NewestLines(at: memory, size: size))
  }

  @Test func `all lines are kept up to the limit`() {
    withLines(of: 8 + 10) { lines in
      lines.append("abcd")
      lines.append("efgh")
      #expect(lines.all == ["abcd", "efgh"])
      lines.append("i")
      #expect(lines.all == nil)
      #expect(lines.suffix(9) == ["… (5 bytes before this)", "efgh", "i"])
      lines.removeAll()
      #expect(lines.all == [])
    }
  }

  @Test func `a line that is longer than the memory is not reported as complete`() {
    withLines(of: 8 + 10) { lines in
      lines.append("0123456789abcdef")
      #expect(lines.all == nil)
      lines.append("gh")
      #expect(lines.all == nil)
      #expect(lines.suffix(9).last == "gh")
    }
  }
}
