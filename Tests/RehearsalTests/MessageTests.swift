import Foundation
import Testing

/// The texts of errors and hints in the sources. `messages.txt` in the folder `.build` has all of them, to read them together.
@Suite struct MessageTests {
  @Test func `errors and hints follow the rules of messages`() throws {
    let messages = try Self.messages()
    try #require(messages.count > 450)
    let text = messages.map { "\($0.place): \($0.text)\n" }.sorted().joined()
    let folder = Self.root + "/.build"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder + "/messages.txt"))

    for message in messages {
      let problems = Self.problems(of: message.text)
      #expect(problems.isEmpty, "\(message.place): \(problems): \(message.text)")
    }
  }

  @Test(arguments: [
    "no unit 'x'", "'load' needs a member", "#1 never ends", "\\(name) is a loadable",
    "HTTP is off",
  ])
  func `a message that follows the rules has no problem`(text: String) {
    #expect(Self.problems(of: text).isEmpty)
  }

  @Test(arguments: ["Cannot read", "it failed.", "somebody did it", "behind the last one"])
  func `a message that breaks a rule has a problem`(text: String) {
    #expect(!Self.problems(of: text).isEmpty)
  }

  private struct Message {
    let place: String
    let text: String
  }

  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  /// Words that TERMS replaces, or that have no clear meaning in a message.
  private static let unclear = [
    "somebody", "nobody", "whoever", "so many", "behind the last", "anew", "came to something",
    "plain order", "by chance", "excused", "judged", "stubborn",
  ]

  private static func problems(of text: String) -> [String] {
    var problems: [String] = []
    let first = text.prefix { $0.isLetter }
    if let letter = first.first, letter.isUppercase,
      first.dropFirst().contains(where: \.isLowercase),
      !properNouns.contains(String(first))
    {
      problems.append("upper case")
    }
    if text.hasSuffix("."), !text.hasSuffix("..") { problems.append("full stop") }
    return problems + unclear.filter { text.contains($0) }
  }

  private static let properNouns: Set = ["Foundation", "Combine", "Markdown", "Mermaid", "Ctrl"]

  /// The literals after `hint:`, in advice and in `ValidationError`, and of the cases in files that describe problems.
  private static func messages() throws -> [Message] {
    let folder = root + "/Sources"
    let paths = try #require(FileManager.default.enumerator(atPath: folder))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    return try paths.flatMap { path in
      let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
      let literal = #""((?:[^"\\\n]|\\.)+)""#
      var patterns = [#"(?:hint: |\.advice\(|ValidationError\()\s*"# + literal]
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if fileNames.contains(where: name.contains) { patterns.append(#"case [^\n]*:\s*"# + literal) }
      return try patterns.flatMap { pattern in
        try NSRegularExpression(pattern: pattern)
          .matches(in: text, range: NSRange(text.startIndex..., in: text))
          .compactMap { match in
            Range(match.range(at: 1), in: text).map { Message(place: path, text: String(text[$0])) }
          }
      }
    }
  }

  private static let fileNames = ["Problem", "Diagnostic", "Refusal", "NearMiss", "Violation"]
}
