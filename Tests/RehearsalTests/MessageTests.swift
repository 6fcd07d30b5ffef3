import Foundation
import Testing

/// The texts of errors and hints in the sources. `messages.txt` in the folder `.build` has all of them, to read them together.
@Suite struct MessageTests {
  @Test func `errors and hints follow the rules of messages`() throws {
    let messages = try Self.messages()
    try #require(messages.count > 850)
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

  @Test(arguments: [
    (
      #"throw Diagnostic(p, at: s, hint: x ? "a b" : "c \(d ? "e" : "f") g")"#,
      ["a b", #"c \(d ? "e" : "f") g"#]
    ),
    (#"print("error: a b")"#, ["a b"]), (#"static let hint = "a b""#, ["a b"]),
    ("var sentence: String {\n  if x { return \"a b\" }\n  return \"c d\"\n}", ["a b", "c d"]),
    (#"complain("a b", "c d")"#, ["a b"]), (#"hint: nearest(to: "a b")"#, []),
    (##"// hint: "a b""##, []), (#"let text = "a b""#, []),
    ("hint: \"\"\"\n  a\n  b\n  \"\"\"", ["a b "]),
  ])
  func `texts of errors, hints and notes are found`(source: String, texts: [String]) {
    #expect(SourceMessages(of: source).texts == texts)
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

  /// The texts of all sources, and the literals of cases in files that describe problems.
  private static func messages() throws -> [Message] {
    let folder = root + "/Sources"
    let paths = try #require(FileManager.default.enumerator(atPath: folder))
      .compactMap { $0 as? String }
      .filter { path in
        path.hasSuffix(".swift") && !foldersOfOtherTexts.contains(where: path.hasPrefix)
      }
    return try paths.flatMap { path in
      let source = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let texts =
        SourceMessages(of: source).texts
        + (fileNames.contains(where: name.contains) ? try literalsOfCases(in: source) : [])
      return Set(texts.map { $0.replacing("\\n", with: "") }).filter(isMessage)
        .map { Message(place: path, text: $0) }
    }
  }

  private static func literalsOfCases(in source: String) throws -> [String] {
    try NSRegularExpression(pattern: #"case [^\n]*:\s*"((?:[^"\\\n]|\\.)+)""#)
      .matches(in: source, range: NSRange(source.startIndex..., in: source))
      .compactMap { Range($0.range(at: 1), in: source).map { String(source[$0]) } }
  }

  /// Whether a literal is more than a word, a sign or an interpolation.
  private static func isMessage(_ text: String) -> Bool {
    text.contains(" ") && text.contains { $0.isLetter }
      && !textsOfArgumentParser.contains(where: text.contains)
  }

  /// Parts of the texts of ArgumentParser, which the program changes.
  private static let textsOfArgumentParser = ["Error: ", "See '"]

  /// Output of scenes, pages, and answers of the server, which have other rules.
  private static let foldersOfOtherTexts = [
    "MockHTTPServer/Messages/", "Scenes/", "Timelines/HTML/", "Timelines/Mermaid/",
  ]

  private static let fileNames = ["Problem", "Diagnostic", "Refusal", "NearMiss", "Violation"]
}
