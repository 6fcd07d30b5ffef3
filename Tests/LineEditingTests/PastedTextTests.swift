import Testing

@testable import LineEditing

@Suite struct PastedTextTests {
  @Test(arguments: ["one\ntwo\nrest", "one\rtwo\rrest", "one\r\ntwo\r\nrest"])
  func `lines may end in any way`(text: String) {
    let pasted = PastedText(text.unicodeScalars)
    #expect(pasted.lines == ["one", "two"])
    #expect(pasted.rest == "rest")
  }

  @Test func `empty lines are lines`() {
    #expect(PastedText("\n\na\n".unicodeScalars).lines == ["", "", "a"])
  }

  @Test func `tabs become spaces and other control characters are removed`() {
    #expect(PastedText("a\tb\u{1B}[A\u{3}\u{9B}c".unicodeScalars).rest == "a  b[Ac")
  }

  @Test func `each line is returned once`() {
    var pasted = PastedText("one\nrest".unicodeScalars)
    #expect(pasted.takeLine() == "one")
    #expect(pasted.takeLine() == nil)
    #expect(pasted.takeRest() == "rest")
    #expect(pasted.isEmpty)
  }
}
