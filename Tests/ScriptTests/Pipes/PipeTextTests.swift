import Testing

@testable import Script

@Suite struct PipeTextTests {
  @Test func `a printed pipe parses to the same pipe`() throws {
    var pipes = RandomPipes(generator: Generator(state: 7))
    var operators: Set<String> = []
    for _ in 0..<2000 {
      let pipe = pipes.pipe()
      operators.formUnion(pipe.stages.map(\.value.word))
      let text = pipe.text
      let read = try PipeScript.spec(text)
      #expect(read?.placeless == pipe, "\(text)")
      #expect(read?.text == text)
    }
    #expect(operators == Set(PipeWords.stages.map(\.word)))
  }
}
