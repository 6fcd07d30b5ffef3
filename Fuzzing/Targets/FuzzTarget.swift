import Rehearsal

/// A reader of what strangers write, with what must hold of it whatever they wrote.
package protocol FuzzTarget: Sendable {
  /// What it is called on the command line, and its folder of the corpus.
  var name: String { get }
  /// The words that its texts are made of.
  var words: [String] { get }
  /// Whether it measures the whole process, so that nothing else may run beside it.
  var isAlone: Bool { get }
  /// What it can take from a golden transcript or a page of the guide.
  func pieces(of golden: [UInt8]) -> [[UInt8]]
  /// A text that is right more often than not; nil where there is nothing but the corpus.
  func compose(_ random: inout Randomness) -> [UInt8]?
  /// Reads an input.
  ///
  /// - Throws: `Finding` where something does not hold. What traps or never ends is noticed outside.
  func check(_ bytes: [UInt8]) throws(Finding)
}

extension FuzzTarget {
  package var isAlone: Bool { false }
  package func pieces(of golden: [UInt8]) -> [[UInt8]] { [] }
  package func compose(_ random: inout Randomness) -> [UInt8]? { nil }

  /// The commands of a golden that begin so.
  func commands(of golden: [UInt8], behind beginning: String = "") -> [[UInt8]] {
    ScriptFile(golden).commands.map { Array($0.text.utf8) }
      .filter { $0.starts(with: beginning.utf8) }
  }
}

/// Something that does not hold.
package struct Finding: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Throws a finding unless the condition holds.
func require(_ condition: Bool, _ words: @autoclosure () -> String) throws(Finding) {
  if !condition { throw Finding(words()) }
}

/// All targets, by name.
package enum FuzzTargets {
  package static let all: [any FuzzTarget] = [
    CommandTarget(), RouteTarget(), PipeTarget(), ValueTarget(), MarbleTarget(), TranscriptTarget(),
    MarkdownTarget(), PatternTarget(), HARTarget(), RecordingTarget(), SessionTarget(),
    ExploringTarget(), PruningTarget(), AssertionTarget(), LeakingTarget(),
  ]

  /// Those that compare with another program, which has to be installed: `all` leaves them out.
  package static let comparing: [any FuzzTarget] = [CommonMarkTarget()]

  package static func named(_ name: String) -> (any FuzzTarget)? {
    (all + comparing).first { $0.name == name }
  }
}
