import Rehearsal

/// A parser or another part of the program, with properties that must hold for every input.
package protocol FuzzTarget: Sendable {
  /// The name on the command line, which is also the name of its folder in the corpus.
  var name: String { get }
  /// Words with a meaning for the target.
  var words: [String] { get }
  /// Whether it measures the whole process, so that no other target may run at the same time.
  var isAlone: Bool { get }
  /// Returns suitable pieces of a golden transcript or a page of the guide.
  func pieces(of golden: [UInt8]) -> [[UInt8]]
  /// Generates a text that is usually valid; nil if the target uses only its corpus.
  func compose(_ random: inout Randomness) -> [UInt8]?
  /// Checks an input.
  ///
  /// - Throws: `Finding` if a property does not hold. Crashes and endless loops are detected
  ///   outside.
  func check(_ bytes: [UInt8]) throws(Finding)
}

extension FuzzTarget {
  package var isAlone: Bool { false }
  package func pieces(of golden: [UInt8]) -> [[UInt8]] { [] }
  package func compose(_ random: inout Randomness) -> [UInt8]? { nil }

  /// Returns the commands of a golden transcript that begin with a text.
  func commands(of golden: [UInt8], behind beginning: String = "") -> [[UInt8]] {
    ScriptFile(golden).commands.map { Array($0.text.utf8) }
      .filter { $0.starts(with: beginning.utf8) }
  }
}

/// A property that does not hold.
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

  /// Targets that compare with another program, which must be installed. `all` does not contain
  /// them.
  package static let comparing: [any FuzzTarget] = [CommonMarkTarget()]

  package static func named(_ name: String) -> (any FuzzTarget)? {
    (all + comparing).first { $0.name == name }
  }
}
