import Synchronization
import Testing

@testable import Harness
@testable import Rehearsal

/// Hints for commands in the words or the syntax of other tools.
@Suite struct RewordingTests {
  /// A session with a member of each kind, whose output is kept.
  private final class Run {
    private let host: SessionHost
    private let output = Lines()

    private final class Lines: Sendable {
      private let all = Mutex<[String]>([])

      func add(_ line: String) { all.withLock { $0.append(line) } }

      func take() -> [String] {
        all.withLock { lines in
          defer { lines = [] }
          return lines
        }
      }
    }

    init() {
      host = SessionHost(files: MemoryFiles(), network: .none, scenes: []) { [output] in
        output.add($0)
      }
      for command in ["loadable feed: String", "process save", "input query: String"] {
        host.perform(command)
      }
      _ = output.take()
    }

    deinit { host.end() }

    func perform(_ command: String) -> [String] {
      host.perform(command)
      return output.take()
    }
  }

  /// The guesses of the golden transcript, with the commands that their hints propose.
  private static let proposals: [(guess: String, meant: String)] = {
    guard
      let text = try? PageText("transcripts/shell/guesses-of-new-users.transcript").text
    else { return [] }
    var proposals: [(guess: String, meant: String)] = []
    var guess = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("> ") { guess = String(line.dropFirst(2)) }
      if let match = line.wholeMatch(of: #/ {2}hint: did you mean '(.*)'\?/#) {
        proposals.append((guess, String(match.1)))
      }
    }
    return proposals
  }()

  @Test func `each proposed command is one that the session accepts`() {
    #expect(Self.proposals.count > 30)
    for (guess, meant) in Self.proposals where !meant.hasPrefix("save ") {
      let lines = Run().perform(meant)
      // An expectation may fail, but must be understood.
      let problem = lines.first {
        $0.contains("error: ") && !$0.contains("error: expected feed")
          && !$0.contains("but there were")
      }
      #expect(problem == nil, "'\(guess)' → '\(meant)'")
    }
  }

  @Test(arguments: [
    "qqq www eee", "load zzz", "((((", "clock backwards", "load feed \"x\" twice", "save -",
    String(repeating: "load ", count: 60),
  ])
  func `a command that no small change repairs has no proposal`(command: String) {
    let lines = Run().perform(command)

    #expect(lines.contains { $0.contains("error: ") })
    #expect(!lines.contains { $0.contains("did you mean") })
  }
}
