import Staging
import Testing

@testable import Rehearsal

@Suite struct WidthTests {
  /// A scene with more commands than fit on a line.
  private let scenes = [
    Scene("many", "Has more commands than fit into one line of a terminal, and says so at length.")
    {
      scene in
      for number in 1...20 { scene.command("command\(number)", "Does nothing.") {} }
    }
  ]

  @Test(arguments: [40, 80, 132])
  func `a session from a terminal of another width replays as it was seen`(width: Int) throws {
    let files = MemoryFiles()
    let host = SessionHost(files: files, scenes: scenes) { _ in }
    host.adopt(width: width)
    host.perform("record recorded.transcript")
    for command in [
      "scene many", "scenes", "loadable profile", "load profile 1 after 1s", "settle", "timeline",
      "help wait",
    ] {
      host.perform(command)
    }
    host.adopt(width: 100)
    host.perform("timeline")
    host.perform("save saved.transcript all")
    host.end()

    for name in ["saved.transcript", "recorded.transcript"] {
      let bytes = try host.stage.enter { try files.read(name) }
      let failures = Transcript(path: name, bytes: bytes).replay {
        SessionPerformer(fixtures: $0, folder: $1, scenes: scenes)
      }
      #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.contains("> set width \(width)\n") == (width != 80))
      #expect(text.contains("> set width 100\n"))
    }
  }

  @Test func `a chosen width is not changed by the terminal`() {
    let host = SessionHost(files: MemoryFiles()) { _ in }
    host.perform("set width 60")
    host.adopt(width: 120)
    #expect(host.settings.width == 60)
  }
}
