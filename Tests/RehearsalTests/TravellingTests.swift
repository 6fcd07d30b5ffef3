import NetworkAccess
import Scenes
import Testing

@testable import Harness
@testable import Rehearsal

/// The commands `undo`, `redo` and `rewind`.
@Suite struct TravellingTests {
  /// A person at a prompt, without any display.
  private final class Nobody: Audience {
    nonisolated init() {}
    var columns: Int { 80 }
    func begin() {}
    func wait(until duration: Duration, wakingFor descriptor: Int32) -> Duration? { duration }
    func show(_ picture: [String]) {}
    func end() {}
  }

  /// A session whose output is kept.
  private final class Run {
    let host: SessionHost
    let files: MemoryFiles
    private let output = KeptLines()

    init(_ transcript: Transcript? = nil) {
      files = MemoryFiles(
        fixtures: transcript?.fixtures ?? Fixtures(),
        folder: transcript?.folder
      )
      host = SessionHost(files: files, network: .sockets(), scenes: Scenes.all) { [output] in
        output.add($0)
      }
    }

    deinit { host.end() }

    /// Returns the output of a command.
    @discardableResult func perform(_ command: String) -> [String] {
      host.perform(command)
      return output.take()
    }

    /// Advances live time, and discards the output.
    func flow(to time: Duration) {
      host.flow(to: time)
      host.writePause()
      _ = output.take()
    }

    /// The visible state of the session.
    var sight: [String] {
      ["list", "log", "timeline", "requests", "now"].flatMap { perform($0) }
    }

    func text(of name: String) throws -> String {
      let files = files
      return String(decoding: try host.stage.enter { try files.read(name) }, as: UTF8.self)
    }
  }

  /// Returns a session that has performed a whole golden transcript.
  private func run(_ transcript: Transcript) -> Run {
    let run = Run(transcript)
    for block in transcript.blocks {
      let command = transcript.command(block)
      if !command.hasPrefix("quit"), !command.hasPrefix("simulate") { run.perform(command) }
    }
    return run
  }

  @Test(arguments: GoldenTests.transcripts.indices)
  func `undo and redo restore the session exactly`(index: Int) {
    let run = run(GoldenTests.transcripts[index])
    let before = run.sight

    for travel in ["undo", "undo 3", "undo 1000", "rewind 300ms", "rewind 1s"] {
      let went = run.perform(travel)
      if run.host.hasFailed { continue }
      let steps = travel.hasPrefix("undo") ? went.count { $0.hasPrefix("undone: ") } : 1
      let came = run.perform("redo \(steps)")
      // Work over a socket can be undone, but not redone.
      if came.contains(where: { $0.contains("had effects outside the session") }) { return }

      #expect(!run.host.hasFailed, "\(travel): \(came)")
      #expect(!(went + came).contains { $0.hasPrefix("note: ") }, "\(travel): \(went + came)")
      #expect(run.sight == before, "\(travel)")
    }
  }

  @Test(arguments: GoldenTests.transcripts.indices)
  func `a saved session after going back replays`(index: Int) throws {
    let run = run(GoldenTests.transcripts[index])
    run.perform("record stop")
    run.perform("record all.transcript")
    run.perform(index.isMultiple(of: 2) ? "undo 2" : "rewind 250ms")
    run.perform("now")
    run.perform("save saved.transcript all")

    let (saved, recorded) = (
      try run.text(of: "saved.transcript"), try run.text(of: "all.transcript")
    )
    #expect(saved == recorded)
    let lines = saved.split(separator: "\n")
    // An invalid command stays, like any mistake.
    #expect(!lines.contains { $0 == "> undo 2" || $0 == "> rewind 250ms" })
  }

  @Test func `a command that only shows keeps the undo history`() throws {
    let run = Run()
    for command in ["loadable a", "wait 1s", "undo", "list", "redo", "save a.transcript all"] {
      run.perform(command)
    }
    #expect(try run.text(of: "a.transcript") == "> loadable a\n> list\n  a  absent\n> wait 1s\n")
  }

  @Test func `after undo and redo, the recording equals the saved session`() throws {
    let run = Run()
    for command in [
      "record a.transcript", "loadable a", "wait 1s", "list", "show a", "expect a loaded", "lst",
      "undo", "redo", "save b.transcript all",
    ] {
      run.perform(command)
    }
    let recorded = try run.text(of: "a.transcript")
    #expect(try run.text(of: "b.transcript") == recorded)
    #expect(recorded.contains("> list\n  a  absent\n"))
  }

  @Test func `an interrupted script becomes the commands that it performed`() throws {
    let run = Run()
    try run.host.stage.enter { [files = run.files] in
      try files.write(
        "inner.rehearse",
        Array("load a yielding 1 after 1s, 2 after 1s\nsettle\n".utf8)
      )
      try files.write(
        "many.rehearse",
        Array("# Many.\nloadable a\nlist\nsource inner.rehearse\nsettle\n".utf8)
      )
    }
    run.perform("record a.transcript")
    let stage = run.host.stage
    stage.enter {
      _ = stage.schedule(at: stage.now.advanced(by: .seconds(1))) { stage.interrupt() }
    }
    let lines = run.perform("source many.rehearse")
    #expect(lines.last == "inner.rehearse:2: error: interrupted at 1.000s")
    #expect(run.perform("list") == ["a  loaded 1"])
    run.perform("save b.transcript all")

    #expect(
      try run.text(of: "a.transcript") == """
        > loadable a
        > list
          a  absent
        > load a yielding 1 after 1s, 2 after 1s
             0.000s  a  absent → loading #1
        > wait 1s
             1.000s  a  loading #1 → loaded 1, #1 continues
        > list
          a  loaded 1

        """
    )
    #expect(try run.text(of: "b.transcript") == run.text(of: "a.transcript"))
  }

  @Test func `going back prints the time in the format of the options`() {
    let run = Run()
    for command in ["set times clock", "loadable a", "wait 90s", "wait 10s"] {
      run.perform(command)
    }
    let now = run.perform("now")
    #expect(run.perform("rewind 5s").first?.contains("95.000s") == false)
    #expect(run.perform("redo").last == "it is " + (now.first ?? ""))
  }

  @Test func `show commands between undo and redo stay, whatever is redone after them`() throws {
    let run = Run()
    for command in ["loadable a", "wait 1s", "wait 2s", "undo 2", "list", "redo", "redo"] {
      run.perform(command)
    }
    run.perform("save a.transcript all")
    #expect(
      try run.text(of: "a.transcript")
        == "> loadable a\n> list\n  a  absent\n> wait 1s\n> wait 2s\n"
    )
  }

  @Test func `redo removes the live time that passed since`() throws {
    let run = Run()
    run.host.attend(by: Nobody())
    for command in ["clock live", "loadable a", "load a 1 after 1s"] { run.perform(command) }
    run.flow(to: .milliseconds(1500))
    let before = run.sight
    run.perform("undo")
    run.flow(to: .milliseconds(300))
    run.perform("list")

    let lines = run.perform("redo")

    #expect(lines == ["redone: load a 1 after 1s", "it is 1.500s"])
    #expect(run.sight == before)
  }

  @Test func `only live time is rewound, and comes back`() throws {
    let run = Run()
    run.host.attend(by: Nobody())
    for command in ["clock live", "loadable a"] { run.perform(command) }
    run.flow(to: .milliseconds(1500))
    #expect(run.perform("rewind 500ms") == ["back at 1.000s; 'redo' goes forward again"])
    run.flow(to: .milliseconds(1200))
    #expect(run.perform("redo") == ["redone: the time that flowed", "it is 1.500s"])
  }

  @Test func `random numbers and files are not written again`() throws {
    let run = Run()
    for command in ["route GET /a 200", "routes to a.rehearse", "loadable a"] {
      run.perform(command)
    }
    let files = run.files
    try run.host.stage.enter { try files.write("a.rehearse", Array("mine".utf8)) }

    #expect(run.perform("undo") == ["undone: loadable a"])
    #expect(try run.text(of: "a.rehearse") == "mine")
  }

  @Test func `an interrupted replay leaves everything as it was`() {
    let run = Run()
    for command in ["loadable a", "load a 1 after 1s", "wait 1s", "wait 1s"] {
      run.perform(command)
    }
    let before = run.sight
    run.host.willReplay = { $0.interrupt() }

    let lines = run.perform("undo")

    #expect(lines == ["error: interrupted; nothing was undone or redone"])
    #expect(run.host.hasFailed)
    #expect(run.sight == before)
  }

  @Test func `the terminal's width applies again after going back`() throws {
    let run = Run()
    run.host.adopt(width: 60)
    for command in ["loadable a", "timeline", "wait 1s", "undo"] { run.perform(command) }
    run.host.adopt(width: 100)
    for command in ["timeline", "save a.transcript all"] { run.perform(command) }

    let text = try run.text(of: "a.transcript")
    #expect(text.contains("> set width 60\n> timeline\n"))
    #expect(text.contains("> set width 100\n> timeline\n"))
  }

  @Test func `an interrupted command becomes the wait that it completed`() throws {
    let run = Run()
    run.perform("record a.transcript")
    run.perform("loadable a")
    run.perform("load a yielding 1 after 1s, 2 after 1s, 3 after 1s")
    let stage = run.host.stage
    stage.enter {
      _ = stage.schedule(at: stage.now.advanced(by: .seconds(2))) { stage.interrupt() }
    }
    let lines = run.perform("settle")
    run.perform("list")

    #expect(lines.last == "error: interrupted at 2.000s")
    #expect(try run.text(of: "a.transcript").contains("\n> wait 2s\n"))
    #expect(try !run.text(of: "a.transcript").contains("interrupted"))
    let transcript = Transcript(path: "a", bytes: Array(try run.text(of: "a.transcript").utf8))
    let failures = transcript.replay { SessionPerformer(fixtures: $0, folder: $1) }
    #expect(failures.isEmpty, "\(failures.map(\.description).joined(separator: "\n"))")
  }
}
