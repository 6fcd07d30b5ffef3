import FuzzTargets
import Testing

/// Inputs that once found bugs, and a few new inputs.
@Suite struct CorpusTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
  private static let names = FuzzTargets.all.filter { !$0.isAlone }.map(\.name)

  private func corpus(of name: String) -> Corpus {
    Corpus([Self.root + "/Fuzzing/Corpus/" + name])
  }

  @Test(arguments: Self.names)
  func `each input of the corpus passes`(name: String) throws {
    let target = try #require(FuzzTargets.named(name))
    for item in corpus(of: name).items { try target.check(item.bytes) }
  }

  @Test(arguments: Self.names)
  func `a few inputs from a seed pass`(name: String) throws {
    let target = try #require(FuzzTargets.named(name))
    let goldens = Corpus([Self.root + "/transcripts"], endings: [".transcript"])
    let maker = InputMaker(target, corpus: corpus(of: name), goldens: goldens, seed: 7)
    for index in 0..<10 { try target.check(maker.input(index)) }
  }

  @Test func `a seed and a number always give the same input`() throws {
    let target = try #require(FuzzTargets.named("command"))
    let maker = InputMaker(target, corpus: corpus(of: "command"), goldens: Corpus([]), seed: 1)
    let again = InputMaker(target, corpus: corpus(of: "command"), goldens: Corpus([]), seed: 1)
    let inputs = (0..<20).map(maker.input)
    #expect(inputs == (0..<20).map(again.input))
    #expect(Set(inputs).count > 10)
  }
}
