import LibC
import LineEditing
import PseudoTerminal
import Testing

/// The command `test` at a prompt: the shell survives crashes and endless loops in transcripts.
@Suite(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
struct TestingTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  @Test func `a transcript that crashes fails, and the shell continues`() throws {
    try place.write("crash.transcript", "> simulate crash\n")
    try place.write("wrong.transcript", "> now\n  1.000s\n")
    try place.write("-right.transcript", "> now\n  0.000s\n")
    let terminal = try place.terminal()
    try terminal.enter("loadable profile")
    try terminal.enter("test crash.transcript wrong.transcript -right.transcript")
    try terminal.wait(forLine: "  1 passed, 2 failed")
    #expect(terminal.screen.text.contains { $0.hasPrefix("  crash.transcript:1: crashed") })
    #expect(terminal.screen.text.contains("  wrong.transcript:2: output differs"))

    try terminal.enter("list", until: "  profile  absent")
    #expect(try terminal.quit() == 0)
  }

  @Test func `a transcript that hangs ends at its time limit`() throws {
    try place.write("hang.transcript", "> simulate hang\n")
    let terminal = try place.terminal()
    try terminal.enter("test hang.transcript timeout 200ms")
    try terminal.wait(forLine: "  0 passed, 1 failed")
    #expect(
      terminal.screen.text.contains { $0.hasPrefix("  hang.transcript:1: took longer than 200ms") }
    )
  }

  @Test func `Ctrl-C ends the run and all its workers`() throws {
    let name = "hang-\(getpid()).transcript"
    try place.write(name, "> simulate hang\n")
    let terminal = try place.terminal()
    try terminal.enter("loadable profile")
    try terminal.type("test \(name) timeout 10m\r")
    try terminal.wait(for: "a worker") { _ in Self.processes(naming: name).count >= 2 }
    try terminal.type("\u{3}")
    try terminal.wait(forLine: "  error: interrupted at 0.000s")

    try terminal.enter("list", until: "  profile  absent")
    try terminal.wait(for: "the workers' end") { _ in Self.processes(naming: name).isEmpty }
  }

  /// Returns the processes with a text in their arguments.
  private static func processes(naming text: String) -> [String] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
      let number = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard Int(number) != nil, let file = fopen("/proc/\(number)/cmdline", "r") else { continue }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = fread(&bytes, 1, bytes.count, file)
      let words = String(decoding: bytes[..<count].map { $0 == 0 ? 32 : $0 }, as: UTF8.self)
      if words.contains(text) { found.append(words) }
    }
    return found
  }

  @Test func `fences of other programs are counted and reported`() throws {
    let place = try Workplace()
    try place.write(
      "a.md",
      "```transcript\n> now\n  0.000s\n```\n\n```transcript Mine\n> b\n```\n"
    )
    try place.write("b.md", "```transcript Mine\n> b\n```\n")

    #expect(try place.rehearse("test", ".").output == "1 passed, 2 left to Mine\n")
    let alone = try place.rehearse("test", "b.md")
    #expect(alone.output.hasSuffix("code blocks of other programs are not replayed: Mine\n"))
    #expect(alone.code == 2)
  }
}
