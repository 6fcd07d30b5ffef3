#if !canImport(Darwin)
import CPseudoTerminal
import Foundation
import PseudoTerminal
import Testing

/// Processes of the helper `rehearse-fetch` that are left after the end of the program, below a parent that inherits
/// all orphans.
@Suite struct HelperEndTests {
  private let place: Workplace
  private static let script = """
    route GET /posts 200 json ["a"]
    serve
    loadable posts
    load posts from /posts over socket
    settle
    requests

    """
  private static let answered = "/posts  for posts  over socket  200"

  init() throws {
    place = try Workplace()
    try place.write("a.rehearse", Self.script)
    try place.write("wrong.rehearse", Self.script + "expect posts loaded [\"b\"]\n")
    try place.write("quit.rehearse", Self.script + "quit\n")
    try place.write("crash.rehearse", Self.script + "simulate crash\n")
    let transcript = """
      > route GET /posts 200 json ["a"]
      > serve
        serving on http://127.0.0.1:{{[0-9]+}}
      > loadable posts
      > load posts from /posts over socket
        ...
      > settle
        ...
      > requests
        1  GET \(Self.answered), 5 bytes

      """
    try place.write("a.transcript", transcript)
    try place.write("crash.transcript", transcript + "> simulate crash\n")
    try place.write("hang.transcript", transcript + "> simulate hang\n")
  }

  /// Returns the number of processes that are left, and the output.
  private func left(_ program: String, _ arguments: [String]) -> (count: Int32, text: String) {
    let strings = { (texts: [String]) in texts.map { strdup($0) } + [nil] }
    let words = strings([program] + arguments)
    let environment = strings(place.environment.map { "\($0.key)=\($0.value)" })
    defer { for text in words + environment { free(text) } }
    let count = cpt_processes_left(program, words, environment, place.path, place.path + "/output")
    return (count, place.read("output"))
  }

  @Test(arguments: [
    ["run", "a.rehearse"], ["run", "wrong.rehearse"], ["run", "quit.rehearse"],
    ["-c", "source a.rehearse"],
  ])
  func `no process is left with any exit code`(arguments: [String]) {
    let (count, text) = left(BuildProducts.path(of: "rehearse"), arguments)

    #expect(text.contains(Self.answered))
    #expect(count == 0)
  }

  @Test func `the workers of a run leave no process`() {
    let (count, text) = left(
      BuildProducts.path(of: "rehearse"),
      ["test", "--no-pending", "a.transcript"]
    )

    #expect(text == "1 passed\n")
    #expect(count == 0)
  }

  @Test(arguments: [
    ("crash.transcript", "crashed, by a trap"), ("hang.transcript", "took longer than 2s"),
  ])
  func `workers that crash or are killed leave no process`(file: String, problem: String) {
    let (count, text) = left(
      BuildProducts.path(of: "rehearse"),
      ["test", "--no-pending", "--timeout", "2s", file]
    )

    #expect(text.contains("\(file):11: \(problem)"))
    #expect(text.hasSuffix("0 passed, 1 failed\n"))
    #expect(count == 0)
  }

  @Test func `after a crash its helper is left, and ends because its input has ended`() {
    let (count, text) = left(BuildProducts.path(of: "rehearse"), ["run", "crash.rehearse"])

    #expect(text.contains(Self.answered))
    #expect(count == 1, "the count comes when all that is left has ended")
  }

  @Test func `a process that is left is counted`() {
    #expect(left("/bin/sh", ["-c", "sleep 0 & exec true"]).count == 1)
  }
}
#endif
