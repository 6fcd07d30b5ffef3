#if os(Linux)
import CVirtualTime
import Foundation
import Staging
import Testing

/// The functions of libraries that the project replaces.
@Suite struct InterposedTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The functions of the table, each with its last column.
  private func table() throws -> [String: String] {
    let text = try String(contentsOf: root.appending(path: "docs/interposed.md"), encoding: .utf8)
    var functions: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      functions[cells[0].trimmingCharacters(in: ["`"])] = cells[cells.count - 1]
    }
    return functions
  }

  @Test func `the table has each function of the sources`() throws {
    let folder = root.appending(path: "Sources/CVirtualTime")
    var found: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file.hasSuffix(".c") {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let withType = /(?m)^(?:INTERPOSED|NUMBER|NAMED|LOCKING)\(\s*[a-z0-9_ *]+?,\s*(\w+),/
      for match in source.matches(of: withType) { found.insert(String(match.1)) }
      let withoutType = /(?m)^(?:CHANGING|HANDLING|LEAVING|MAKING|SEED|SPAWNING)\(\s*(\w+),/
      for match in source.matches(of: withoutType) { found.insert(String(match.1)) }
      let unlocking = /(?m)^UNLOCKING\(\w+, (\w+)\)/
      for match in source.matches(of: unlocking) { found.insert(String(match.1)) }
      let switching = /(?m)^SWITCHING\(((?!__wrap_)\w+)\)/
      for match in source.matches(of: switching) { found.insert(String(match.1)) }
      let named = /(?m)^(?:CANCELLING|RESUMING|MAKING_STREAM\w*|FAILING|GETTING)\(\s*\w+,\s*"(.+?)"/
      for match in source.matches(of: named) { found.insert(String(match.1)) }
      let weak = /(?m)^SWIFT WEAK bool (\w+)\([^;{]*\) \{/
      for match in source.matches(of: weak) { found.insert(String(match.1)) }
      for match in source.matches(of: /(?m)^(?:EXITING|ENDING)\((\w+)\)/) {
        found.insert(String(match.1))
      }
      let timed = /(?m)^TIMED\(\w+, (\w+), (\w+),/
      for match in source.matches(of: timed) {
        found.formUnion([String(match.1), String(match.2)])
      }
      for match in source.matches(of: /(?m)^#define RECORD "(.+?)"/) {
        found.insert(String(match.1))
      }
      let function =
        /(?m)^(?:__attribute__\(\(weak\)\) )?(?:int|ssize_t|long|unsigned|time_t|FILE|uint32_t|void) \*?((?!cvt_|__wrap_)[a-z_0-9]+)\([^;{]*\) \{/
      for match in source.matches(of: function) { found.insert(String(match.1)) }
    }
    #expect(found.count > 80)
    #expect(found.subtracting(try table().keys).sorted() == [])
  }

  @Test func `the page has the table of the program`() throws {
    let page = root.appending(path: "docs/interposed.md")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.map { row in
        row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      }
    var count: Int32 = 0
    let table = UnsafeBufferPointer(start: cvt_replaced_functions(&count), count: Int(count))
    #expect(
      table.map { ["`\(String(cString: $0.name))`", String(cString: $0.since)] }
        == rows.map { [$0[0], $0[1]] }
    )
    #expect(table.map { String(cString: $0.effect) } == rows.map { $0[3] })
  }

  @Test func `the build names what may stay in real time on an unknown toolchain`() throws {
    let sources = root.appending(path: "Sources/CVirtualTime")
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = [
      "clang", "-fsyntax-only", "-DREHEARSE_UNKNOWN_TOOLCHAIN",
      "-I\(sources.appending(path: "include").path)", sources.appending(path: "Replaced.c").path,
    ]
    let errors = Pipe()
    compiler.standardError = errors
    try compiler.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    #expect(compiler.terminationStatus == 0)
    #expect(text.contains("warning: \"This toolchain is newer"))
    for part in ["clocks", "Dispatch", "timers and run loops", "locks", "random numbers"] {
      #expect(text.contains(part))
    }
  }

  @Test func `a missing function is named, and so is work for Dispatch that then runs`() async {
    #expect(Stage.gapsOfToolchain == [])
    await #expect(processExitsWith: .success) {
      setenv("REHEARSE_MISSING", "dispatch_after,swift_once", 1)
      let expected = [
        "'dispatch_after' is missing: the block waits in real time",
        "'swift_once' is missing: its first use shifts the numbers of the code that uses it",
      ]
      guard Stage.gapsOfToolchain == expected else { exit(1) }
    }
  }

  /// Replaced only by the linker, in a static program.
  private static let onlyWrapped: Set = ["swift_task_cancel", "swift_taskGroup_cancelAll"]

  @Test func `each function of the table is replaced in this program`() throws {
    let others = try table().keys.filter { name in
      !Self.onlyWrapped.contains(name) && dlsym(nil, name) == definition(behindTheProgram: name)
    }
    #expect(others.sorted() == [])
  }

  private func definition(behindTheProgram name: String) -> UnsafeMutableRawPointer? {
    // RTLD_NEXT
    dlsym(UnsafeMutableRawPointer(bitPattern: -1), name)
  }

  @Test func `the libraries of this toolchain have each replaced function`() throws {
    let missing = try table().keys.filter { definition(behindTheProgram: $0) == nil }
    #expect(missing.sorted() == [])
  }
}
#endif
