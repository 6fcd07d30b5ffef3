import Script
import Testing

@Suite struct ShareTests {
  @Test(arguments: [("30%", 0.3), ("12.5%", 0.125), ("100%", 1)])
  func `a number with a percent sign is a share`(text: String, expected: Double) throws {
    var parser = Parser(text, table: .empty)
    #expect(try parser.share("a share").value == expected)
  }

  @Test(arguments: ["13-1%", "1a%", "1-%", "1.x%", "1.2.3%", "101%"])
  func `text that is not a number has no share`(text: String) {
    var parser = Parser(text, table: .empty)
    #expect(throws: Diagnostic.self) { try parser.share("a share") }
  }
}
