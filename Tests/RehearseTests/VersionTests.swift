import Foundation
import Testing

/// The version of the program, which every package, page and setting must have.
@Suite struct VersionTests {
  private static let root = #filePath.components(separatedBy: "/Tests/")[0]

  private func version() throws -> String {
    let output = try Workplace().rehearse("--version").output
    return String(try #require(output.split(whereSeparator: \.isWhitespace).first))
  }

  /// Returns each text in a file that a group of a pattern matches.
  private func matches(of pattern: String, in file: String) throws -> [String] {
    let text = try String(contentsOfFile: "\(Self.root)/\(file)", encoding: .utf8)
    let all = NSRange(text.startIndex..., in: text)
    return try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
      .matches(in: text, range: all)
      .compactMap { Range($0.range(at: 1), in: text).map { String(text[$0]) } }
  }

  @Test(arguments: [
    ("README.md", #"rehearse[-_](\d+\.\d+\.\d+)"#),
    ("docs/install.md", #"(?:rehearse[-_]|fetch[-_]|scripts/release )(\d+\.\d+\.\d+)"#),
    ("docs/editors/README.md", #"rehearse-(\d+\.\d+\.\d+)"#),
    ("docs/editors/vscode/package.json", #""version": "(.*)""#),
    ("docs/json.md", #""version": "(.*)""#),
    ("Examples/ci/README.md", #"@v(\d+\.\d+\.\d+)"#),
    ("action.yml", #"default: (\d+\.\d+\.\d+)$"#),
  ])
  func `files name the version of the program`(file: String, pattern: String) throws {
    #expect(try Set(matches(of: pattern, in: file)) == [version()])
  }

  @Test func `the first section of the change log is about this version`() throws {
    #expect(try matches(of: #"^## (.*)$"#, in: "CHANGELOG.md").first == version())
  }

  @Test(arguments: [
    ("nonsense", "error: 'nonsense' is not a version\n"),
    ("1.2", "error: '1.2' is not a version\n"),
    ("99.0.0", "error: the version of the source is VERSION, not 99.0.0\n"),
    ("--tset", "error: which version?\n"),
  ])
  func `packages are made of no other version`(argument: String, problem: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(Self.root)/scripts/release")
    process.arguments = [argument]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(try text.hasPrefix(problem.replacingOccurrences(of: "VERSION", with: version())))
    #expect(text.contains("\nhint: "))
  }
}
