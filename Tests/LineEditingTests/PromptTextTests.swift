import Testing

@testable import LineEditing

@Suite struct PromptTextTests {
  @Test func `a plain prompt stays as it is`() {
    #expect(PromptText("> ").marked == "> ")
    #expect(PromptText("> ").visible == "> ")
  }

  @Test func `colours are marked as having no width`() {
    let prompt = PromptText("\u{1B}[1;32mok\u{1B}[0m> ")
    #expect(prompt.visible == "ok> ")
    #expect(prompt.marked == "\u{1}\u{1B}[1;32m\u{1}ok\u{1}\u{1B}[0m\u{1}> ")
  }

  @Test func `a sequence at the end moves before the last visible character`() {
    let prompt = PromptText("\u{1B}[1m> \u{1B}[0m")
    #expect(prompt.marked == "\u{1}\u{1B}[1m\u{1}>\u{1}\u{1B}[0m\u{1} ")
  }

  @Test func `a marker in the prompt itself is left out`() {
    #expect(PromptText("a\u{1}b").marked == "ab")
  }
}
