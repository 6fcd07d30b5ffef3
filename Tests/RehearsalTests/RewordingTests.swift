import Foundation
import Testing

@testable import Harness
@testable import Rehearsal

/// Hints for commands in the words or the syntax of other tools.
@Suite struct RewordingTests {
  /// A session with a member of each kind, whose output is kept.
  private final class Run {
    private let host: SessionHost
    private let output = KeptLines()

    /// Performs these commands after those that create the members, the same as in the transcripts.
    init(_ commands: [String] = []) {
      host = SessionHost(files: MemoryFiles(), network: .none, scenes: []) { [output] in
        output.add($0)
      }
      for command in ["loadable feed: String", "process save", "input query: String"] + commands {
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

  /// A guess, with the command that its hint proposes.
  private struct Proposal: CustomTestStringConvertible {
    let guess: String
    let meant: String

    var testDescription: String { "'\(guess)' → '\(meant)'" }

    /// Whether the command only asserts something.
    var isExpectation: Bool { meant.hasPrefix("expect ") }
  }

  /// Those of the golden transcripts whose name begins with `guessed-`.
  private static let proposals: [Proposal] = {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    let folder = root.joined(separator: "/") + "/transcripts/shell"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { $0.hasPrefix("guessed-") }.flatMap { name -> [Proposal] in
      guard let text = try? PageText("transcripts/shell/" + name).text else { return [] }
      var proposals: [Proposal] = []
      var guess = ""
      for line in text.split(separator: "\n") {
        if line.hasPrefix("> ") { guess = String(line.dropFirst(2)) }
        if let match = line.wholeMatch(of: #/ {2}hint: did you mean '(.*)'\?/#) {
          proposals.append(Proposal(guess: guess, meant: String(match.1)))
        }
      }
      return proposals
    }
  }()

  /// Commands that leave a load, a run, and a session with requests in different states.
  private static let inFlight = [
    "route POST /login 200 json \"x\"", "load feed \"x\" after 1s", "run save after 1s",
  ]
  private static let atRest = [
    "route /users 200 json \"x\"", "load feed from /users", "load feed from /users", "settle",
  ]

  private static let withParts = [
    "forget feed", "loadable feed = [1, 2]", "loadable user = {\"name\": \"Ann\"}",
  ]

  @Test func `the transcripts have proposals`() {
    #expect(Self.proposals.count > 40)
    #expect(Self.proposals.contains { $0.isExpectation })
  }

  @Test(arguments: proposals.filter { !$0.isExpectation })
  private func `a proposed command succeeds and has an effect`(proposal: Proposal) {
    let lines = Self.output(of: proposal.meant, after: Self.inFlight)
    let problem = lines.joined().first { $0.contains("error: ") || $0.contains("unmatched") }
    #expect(problem == nil)
    #expect(lines != Self.output(of: nil, after: Self.inFlight))
  }

  @Test(arguments: proposals.filter(\.isExpectation))
  private func `a proposed expectation holds in some sessions only`(proposal: Proposal) {
    let outputs = [[], Self.inFlight, Self.atRest, Self.withParts].map {
      Run($0).perform(proposal.meant)
    }
    let holds = outputs.map { lines in !lines.contains { $0.contains("error: ") } }
    #expect(holds.contains(true))
    #expect(holds.contains(false))
  }

  /// Returns the output of a command, of the work in flight, and of commands that show the session.
  private static func output(of command: String?, after before: [String]) -> [[String]] {
    let run = Run(before)
    let first = command.map { run.perform($0) } ?? []
    return [first] + ["assertions", "settle", "list", "routes", "now"].map { run.perform($0) }
  }

  @Test func `typographic quotation marks are replaced`() {
    let lines = Run().perform("load feed “x” after 1s")

    #expect(lines.last == "hint: did you mean 'load feed \"x\" after 1s'?", "\(lines)")
  }

  @Test(arguments: [
    "qqq www eee", "= = =", "load zzz", "((((", "clock backwards", "load feed \"x\" twice",
    "save -", String(repeating: "load ", count: 60),
  ])
  func `a command that no small change repairs has no proposal`(command: String) {
    let lines = Run().perform(command)

    #expect(lines.contains { $0.contains("error: ") })
    #expect(!lines.contains { $0.contains("did you mean") })
  }
}
