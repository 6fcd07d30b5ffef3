import RehearsalBase
import Script
import Testing

@testable import Rehearsal

/// The words for editors, and the grammars that are made from them.
@Suite struct EditorTests {
  private static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")

  private static func file(_ path: String) throws -> String {
    String(decoding: try FileBytes.read(root + "/docs/editors/" + path), as: UTF8.self)
  }

  @Test func `the grammars in docs are generated from the definitions`() throws {
    #expect(try Self.file("vim/syntax/rehearse.vim") == VimSyntax.script(.shell))
    #expect(try Self.file("vim/syntax/transcript.vim") == VimSyntax.transcript(.shell))
    let syntaxes = "vscode/syntaxes/"
    let script = try Self.file(syntaxes + "rehearse.tmLanguage.json")
    let transcript = try Self.file(syntaxes + "transcript.tmLanguage.json")
    #expect(script == TextMateGrammar.script(.shell), "scripts/generated writes it again")
    #expect(transcript == TextMateGrammar.transcript(.shell), "scripts/generated writes it again")
  }

  @Test func `the grammars for TextMate are JSON`() throws {
    for text in [TextMateGrammar.script(.shell), TextMateGrammar.transcript(.shell)] {
      var parser = Parser(text, table: CommandTable([]))
      _ = try parser.value()
      #expect(parser.isAtEnd)
    }
  }

  @Test func `the vocabulary has every verb, and the words of slots and clauses`() {
    let words = Vocabulary.shell
    #expect(words.verbs == ShellCommands.all.map(\.definition.verb))
    for word in [
      "after", "uncancellable", "fail", "yielding", "never", "from", "dripping", "timedOut",
    ] {
      #expect(words.keywords.contains(word), "\(word)")
    }
    #expect(words.operators.contains("switchToLatest"))
    #expect(Set(words.operators).isDisjoint(with: words.keywords))
  }

  @Test(arguments: [
    "cancel a", "  in 1s cancel a", "between 1s and 2.5s cancel a", "in 10ms to 1m cancel a",
  ])
  func `the verb of a command is found after its time`(line: String) throws {
    let begin = try #require(
      TextMateGrammar.script(.shell).split(separator: "\n").first { $0.contains("(in|at|between)") }
    )
    let text = begin.drop { $0 != ":" }.dropFirst().prefix { $0 != "," }
    var parser = Parser(String(text), table: CommandTable([]))
    guard case .string(let pattern) = try parser.value().value else {
      Issue.record("no pattern: \(begin)")
      return
    }
    let found = try #require(line.firstMatch(of: try Regex(pattern)))

    #expect(found.output[4].substring == "cancel")
  }

  @Test func `no word contains a special character of regular expressions`() {
    let words = Vocabulary.shell
    for word in words.verbs + words.keywords + words.operators + words.types + words.states {
      #expect(word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }, "\(word)")
    }
  }
}
