/// Makes the inputs of a target. The seed, the number of an input and the corpus determine it.
package struct InputMaker {
  private let target: any FuzzTarget
  private let mutator: Mutator
  private let corpus: [[UInt8]]
  /// Number of texts of the target's own corpus.
  private let ownCount: Int
  private let seed: UInt64

  /// - Parameters:
  ///   - target: the target of the inputs.
  ///   - corpus: the texts of the target's corpus.
  ///   - goldens: golden transcripts and pages. The target uses suitable pieces of them.
  ///   - seed: determines all inputs.
  package init(_ target: any FuzzTarget, corpus: Corpus, goldens: Corpus, seed: UInt64) {
    self.target = target
    self.seed = seed
    ownCount = corpus.items.count
    self.corpus =
      (corpus.items.map(\.bytes) + goldens.items.flatMap { target.pieces(of: $0.bytes) })
      .map { Array($0.prefix(Mutator.longestInput)) }
    mutator = Mutator(words: target.words.map { Array($0.utf8) }, others: self.corpus)
  }

  /// Returns the input with this number. The first inputs are the texts of the target's corpus,
  /// unchanged.
  package func input(_ index: Int) -> [UInt8] {
    if index < ownCount { return corpus[index] }
    var random = Randomness(seed: seed, index: index)
    let composed = random.once(in: 2) || corpus.isEmpty ? target.compose(&random) : nil
    if let composed, !random.once(in: 3) { return composed }
    let base = composed ?? (corpus.isEmpty ? [] : random.pick(corpus))
    return mutator.mutate(base, &random)
  }
}
