/// Makes the inputs of a target: each is decided by the seed, its number and the corpus.
package struct InputMaker {
  private let target: any FuzzTarget
  private let mutator: Mutator
  private let corpus: [[UInt8]]
  /// How many of the corpus are its own.
  private let ownCount: Int
  private let seed: UInt64

  /// - Parameters:
  ///   - target: whose inputs they are.
  ///   - corpus: its own texts.
  ///   - goldens: texts for people, of which it takes what it can.
  ///   - seed: decides them all.
  package init(_ target: any FuzzTarget, corpus: Corpus, goldens: Corpus, seed: UInt64) {
    self.target = target
    self.seed = seed
    ownCount = corpus.items.count
    self.corpus =
      (corpus.items.map(\.bytes) + goldens.items.flatMap { target.pieces(of: $0.bytes) })
      .map { Array($0.prefix(Mutator.longestInput)) }
    mutator = Mutator(words: target.words.map { Array($0.utf8) }, others: self.corpus)
  }

  /// The input of a number: first come those of its own corpus, as they are.
  package func input(_ index: Int) -> [UInt8] {
    if index < ownCount { return corpus[index] }
    var random = Randomness(seed: seed, index: index)
    let composed = random.once(in: 2) || corpus.isEmpty ? target.compose(&random) : nil
    if let composed, !random.once(in: 3) { return composed }
    let base = composed ?? (corpus.isEmpty ? [] : random.pick(corpus))
    return mutator.mutate(base, &random)
  }
}
