import Foundation
import Script
import Testing

@testable import Rehearsal

/// The effects of a command belong into its definition. Code elsewhere that compares text with a
/// verb would duplicate them.
@Suite struct VerbComparisonTests {
  @Test func `only definitions of commands compare text with a verb`() throws {
    var found: [String] = []
    for path in try Self.sources() {
      let source = try PageText("Sources/" + path).text
      let allowed = Self.otherWords[path] ?? []
      found += Self.comparisons(in: source).filter { !allowed.contains($0.word) }
        .map { "Sources/\(path):\($0.line): \"\($0.word)\"" }
    }
    #expect(
      found.isEmpty,
      "ask the definition of the command instead:\n\(found.joined(separator: "\n"))"
    )
  }

  @Test func `every exception is still needed`() throws {
    for (path, words) in Self.otherWords {
      let found = Set(Self.comparisons(in: try PageText("Sources/" + path).text).map(\.word))
      #expect(words.subtracting(found).isEmpty, "\(path): \(words.subtracting(found).sorted())")
    }
  }

  @Test(arguments: [
    #"if verb == "load" {"#, #"if "load" != verb {"#, #"case "load": break"#,
    #"case .some("x"), "load": break"#, #"text.hasPrefix("load ")"#, #"verbs.contains("load")"#,
    #"let verbs: Set = ["wait", "load"]"#, #"["load"].contains(verb)"#, #"let words = ["load": 1]"#,
    "let verbs: Set = [\n  \"wait\",\n  \"load\",\n]",
    #"text.elementsEqual("load")"#, #"words.firstIndex(of: "load")"#,
  ])
  func `a comparison with a verb is found`(code: String) {
    #expect(Self.comparisons(in: code).contains { $0.word.hasPrefix("load") })
  }

  @Test(arguments: [
    #"print("load")"#, #"perform("load \(name)")"#, #"case .loaded: "load""#,
    #"[text("load")]"#, #"// if verb == "load""#, #"fields.with("load", 1)"#, #"verb == "loads""#,
  ])
  func `other text is allowed`(code: String) {
    #expect(Self.comparisons(in: code).isEmpty)
  }

  /// Words that are compared, and that are not verbs in these files.
  private static let otherWords: [String: Set<String>] = [
    // Keywords of clauses, errors and answers.
    "Rehearsal/Session/WordMeanings.swift": [
      "at", "cancel", "endpoint", "marble", "never", "policy", "requests", "reset", "retry",
      "route", "scene",
    ],
    "Script/HTTP/AnswerDraft.swift": ["at"],
    "Script/HTTP/Parser+Headers.swift": ["at", "reset"],
    "Script/Loads/StartRequest.swift": ["never"],
    "Script/Loads/ErrorSpec+Names.swift": ["reset"],
    // The parts of a command that the code writes.
    "Script/HTTP/Route+CommandText.swift": ["route"],
    // Kinds of targets in a manifest, and words of Swift.
    "RehearsalKit/Init/InitPlan.swift": ["test"],
    "RehearsalKit/Init/SampleValues.swift": ["test"],
    "RehearsalKit/Init/SceneLines.swift": ["in"],
    "RehearsalKit/Init/SwiftDeclarationReader.swift": ["set"],
    "RehearsalKit/Init/UserPackage.swift": ["test"],
    // Guesses of users, which only the parser accepts as commands. The definitions should state these words.
    "Rehearsal/Session/Session+Mistakes.swift": ["run"],
    "Script/Syntax/WordChanges+Assertions.swift": ["always", "eventually", "expect", "requests"],
    "Script/Syntax/WordChanges+Loads.swift": [
      "at", "cancel", "in", "load", "never", "retry", "wait",
    ],
    "Script/Syntax/WordChanges+Phrases.swift": [
      "at", "explore", "help", "inject", "list", "load", "log", "marble", "never", "pipe", "reset",
      "route", "run", "save", "schedule", "show", "states", "step", "timeline", "wait",
    ],
    "Script/Syntax/WordChanges.swift": [
      "allow", "at", "endpoint", "enter", "eventually", "expect", "hold", "in", "input", "list",
      "load",
      "loadable", "log", "never", "now", "pipe", "process", "publisher", "record", "release",
      "requests", "retry", "rewind", "route", "routes", "run", "save", "schedule", "set", "show",
      "timeline", "view", "wait",
    ],
    "Script/Syntax/Words.swift": ["pipe", "publisher"],
    // Subcommands of the program.
    "RehearsalKit/Manual/CompletionsCommand.swift": ["help"],
    "RehearsalKit/Manual/ToolDescription.swift": ["help"],
    "RehearsalKit/Program/ProgramMistake.swift": ["view", "watch"],
    "RehearsalKit/Program/RootCommand.swift": ["help", "test"],
    // A type of lines in JSON.
    "RehearsalKit/Exploring/SearchReport.swift": ["sometimes"],
    "RehearsalKit/Testing/TestCommand.swift": ["test"],
  ]

  /// Folders without knowledge of commands, because `Script` depends on them or because they use
  /// other words.
  private static let ignoredFolders: Set<String> = [
    "Exploring", "FetchProtocol", "Harness", "Loading", "MockHTTP", "MockHTTPServer", "Pipelines",
    "RehearsalBase", "RemoteLoading", "Scenes", "Staging", "Timelines", "URLSessionHTTP",
    "Workers", "bench", "rehearse-fetch",
  ]

  /// The Swift files to check, relative to the folder `Sources`, sorted.
  private static func sources() throws -> [String] {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    let folder = root.joined(separator: "/") + "/Sources"
    let paths = try #require(FileManager.default.enumerator(atPath: folder))
      .compactMap { $0 as? String }
    let chosen = paths.filter { path in
      path.hasSuffix(".swift") && !path.hasPrefix("Rehearsal/Commands/")
        && !ignoredFolders.contains(String(path.prefix { $0 != "/" }))
    }
    try #require(chosen.count > 200)
    return chosen.sorted()
  }

  private struct Comparison {
    let word: String
    let line: Int
  }

  private static let verbs = Set(ShellCommands.table.verbs)

  /// Returns the verbs with which a source compares text, also with a space after the verb.
  private static func comparisons(in source: String) -> [Comparison] {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.drop { $0 == " " }.hasPrefix("//") ? "" : line
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    var found: [Comparison] = []
    for literal in literals(in: bytes) {
      let word = String(decoding: bytes[literal].dropFirst().dropLast(), as: UTF8.self)
      guard verbs.contains(word.hasSuffix(" ") ? String(word.dropLast()) : word) else { continue }
      if isCompared(literal, in: bytes) {
        let line = bytes[..<literal.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
        found.append(Comparison(word: word, line: line))
      }
    }
    return found
  }

  /// Returns the ranges of the literals in one line, including their quotation marks.
  private static func literals(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int?
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\") where start != nil: index += 1
      case UInt8(ascii: "\n"): start = nil
      case UInt8(ascii: "\""):
        if let begun = start { found.append(begun..<index + 1) }
        start = start == nil ? index : nil
      default: break
      }
      index += 1
    }
    return found
  }

  private static func isCompared(_ literal: Range<Int>, in bytes: [UInt8]) -> Bool {
    let before = trimmed(String(decoding: bytes[..<literal.lowerBound].suffix(400), as: UTF8.self))
    let after = String(decoding: bytes[literal.upperBound...].prefix(80), as: UTF8.self)
      .drop(while: \.isWhitespace)
    if ["==", "!=", "~="].contains(where: { before.hasSuffix($0) || after.hasPrefix($0) }) {
      return true
    }
    let functions = [
      "hasPrefix(", "hasSuffix(", "contains(", "elementsEqual(", "starts(with:", "firstIndex(of:",
    ]
    return functions.contains(where: before.hasSuffix) || isPattern(before)
      || isElement(before, after)
  }

  /// Whether a literal after this text is a pattern of a `case`.
  private static func isPattern(_ before: String) -> Bool {
    guard let start = before.range(of: "case", options: .backwards)?.upperBound else {
      return false
    }
    let patterns = before[start...]
    guard patterns.isEmpty || patterns.hasSuffix(","), !patterns.contains("\n\n") else {
      return false
    }
    return !patterns.contains { ":{}=".contains($0) }
  }

  /// Whether a literal between these texts is an element of an array or set, or a key of a
  /// dictionary.
  private static func isElement(_ before: String, _ after: Substring) -> Bool {
    guard before.hasSuffix("[") || before.hasSuffix(","), let next = after.first,
      ",]:".contains(next)
    else { return false }
    var depth = 0
    for character in before.reversed() {
      switch character {
      case ")", "]", "}": depth += 1
      case "(", "[", "{":
        if depth == 0 { return character == "[" }
        depth -= 1
      default: break
      }
    }
    return true
  }

  private static func trimmed(_ text: String) -> String {
    String(text.reversed().drop(while: \.isWhitespace).reversed())
  }
}
