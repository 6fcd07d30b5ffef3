import Foundation
import Testing

@testable import Harness

/// A watched run of a folder whose files change between two checks.
private final class Scenario: WatchAudience {
  struct Run: WatchedRun {
    let folder: String
    let log: Log
    var failing: Set<String> = []
    var stop: ProgramExit? { nil }
    var trouble: ProgramExit? { log.trouble }
    var missing: [String] { log.named.filter { !FileBytes.exists($0) } }

    var notes: [String] {
      TranscriptSelection(paths: [folder]).notes
        .map { $0.replacingOccurrences(of: folder + "/", with: "") }
    }

    func select() -> (paths: [String], folders: [String], problem: String?) {
      let selection = TranscriptSelection(paths: [folder])
      return (selection.entries.map(\.path), selection.folders, log.problem)
    }

    mutating func play(
      _ paths: Set<String>,
      gone: [String],
      unless isOutdated: () -> Bool
    ) -> WatchOutcome {
      log.played.append(paths.map { String($0.dropFirst(folder.count + 1)) }.sorted())
      let readings = log.readings.mapValues { $0.map { FileReading(of: $0) } }
      if !log.meanwhile.isEmpty {
        log.meanwhile.removeFirst()()
        if isOutdated() { return .outdated(paths) }
      }
      failing.formUnion(paths.filter { $0.contains("bad") })
      failing.subtract(gone)
      return .played(readings)
    }
  }

  final class Log {
    var played: [[String]] = []
    var announced: [String] = []
    var statuses: [WatchStatus] = []
    var readings: [String: [String]] = [:]
    var restarts = 0
    /// Why the files cannot be determined.
    var problem: String?
    /// The failure of the newest run, other than a transcript.
    var trouble: ProgramExit?
    /// Actions during the plays, one for each.
    var meanwhile: [() -> Void] = []
    /// Named files, in addition to the folder.
    var named: [String] = []
  }

  let folder: TemporaryFolder
  let log = Log()
  private var steps: [() throws -> WatchRequest] = []

  init(_ files: [String: String]) throws {
    folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text) }
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  /// Adds an action, after which the loop checks the files.
  func then(_ step: @escaping () throws -> Void) {
    steps.append {
      try step()
      return .look
    }
  }

  func request(_ request: WatchRequest) { steps.append { request } }

  func perform(settings: [String] = [], program: String? = nil) -> ProgramExit {
    var loop = WatchLoop(
      Run(folder: folder.path, log: log),
      audience: self,
      settings: settings.map(path),
      program: program.map(path)
    )
    return loop.perform()
  }

  func wait(for descriptor: Int32?, withinMilliseconds limit: Int?) -> WatchRequest {
    if steps.isEmpty { return .quit }
    do {
      return try steps.removeFirst()()
    } catch {
      Issue.record(error)
      return .quit
    }
  }

  func announce(_ changes: String) {
    log.announced.append(changes.replacingOccurrences(of: folder.path + "/", with: ""))
  }

  func tell(_ status: WatchStatus) { log.statuses.append(status) }
  func note(_ text: String) { log.announced.append("note: " + text) }

  func restart() -> FileProblem {
    log.restarts += 1
    return .notPermitted
  }
}

@Suite struct WatchingLoopTests {
  private static let text = "> echo a\n  a\n"

  @Test func `everything is played once, then only changes`() throws {
    let scenario = try Scenario(["a.transcript": Self.text, "b/b.transcript": Self.text])
    scenario.then { try scenario.folder.write("b/b.transcript", "> echo b\n  b\n") }

    #expect(scenario.perform() == .success)
    #expect(scenario.log.played == [["a.transcript", "b/b.transcript"], ["b/b.transcript"]])
    #expect(scenario.log.announced == ["b/b.transcript changed"])
  }

  @Test func `a file that is left out is reported once, when it appears`() throws {
    let scenario = try Scenario(["a.transcript": Self.text, "b.transcrpt": Self.text])
    scenario.then { try scenario.folder.write("c.transcript (1)", Self.text) }
    scenario.then { try scenario.folder.write("d.txt", Self.text) }

    #expect(scenario.perform() == .success)
    #expect(
      scenario.log.announced == [
        "note: b.transcrpt is not replayed: transcripts end in .transcript",
        "note: b.transcrpt, 'c.transcript (1)' are not replayed: transcripts end in .transcript",
      ]
    )
  }

  @Test func `a file that changes during its play is played again, with all unreported files`()
    throws
  {
    let scenario = try Scenario(["a.transcript": Self.text, "b.transcript": Self.text])
    let folder = scenario.folder
    scenario.log.meanwhile = [
      { try? folder.write("a.transcript", "> echo b\n  b\n") },
      { try? folder.write("notes.txt", "nothing that is played") },
    ]
    scenario.request(.playFailed)

    #expect(scenario.perform() == .success)
    #expect(
      scenario.log.played == [["a.transcript", "b.transcript"], ["a.transcript", "b.transcript"]]
    )
    #expect(
      scenario.log.announced == [
        "a.transcript changed", "note: nothing failed when it was replayed last",
      ]
    )
    #expect(scenario.log.statuses.count == 2)
  }

  @Test func `a file that is read for the first time is already watched during the play`() throws {
    let scenario = try Scenario(["a.transcript": Self.text, "x.har": "1"])
    let folder = scenario.folder
    scenario.log.readings = [scenario.path("a.transcript"): [scenario.path("x.har")]]
    scenario.log.meanwhile = [{ try? folder.write("x.har", "22") }]

    _ = scenario.perform()
    #expect(scenario.log.played == [["a.transcript"], ["a.transcript"]])
    #expect(scenario.log.announced == ["x.har changed"])
  }

  @Test func `a file that changes in every play is eventually played to its end`() throws {
    let scenario = try Scenario(["a.transcript": Self.text])
    let folder = scenario.folder
    scenario.log.meanwhile = (1...3).map { count in
      { try? folder.write("a.transcript", String(repeating: Self.text, count: count + 1)) }
    }

    _ = scenario.perform()
    #expect(scenario.log.played.count == 4)
    #expect(scenario.log.statuses.count == 2)
  }

  @Test(arguments: [ProgramExit.differences, .usage, .harness])
  func `a run that fails without a failing transcript decides the code`(
    code: ProgramExit
  ) throws {
    let scenario = try Scenario(["a.transcript": Self.text])
    scenario.then { scenario.log.trouble = code }

    #expect(scenario.perform() == code)
    scenario.log.trouble = nil
    #expect(scenario.perform() == .success)
  }

  @Test func `the code says so if two files have the same name at the end`() throws {
    let scenario = try Scenario(["a.transcript": Self.text])
    scenario.then {
      scenario.log.problem = "two of them"
      try scenario.folder.write("a.transcript", "> echo b\n  b\n")
    }

    #expect(scenario.perform() == .usage)
  }

  @Test func `if files cannot be distinguished, the watched files stay the same`() throws {
    let scenario = try Scenario(["a.transcript": Self.text])
    scenario.then {
      scenario.log.problem = "two of them"
      unlink(scenario.path("a.transcript"))
    }
    scenario.then { try scenario.folder.write("b", "") }
    scenario.then {
      scenario.log.problem = nil
      try scenario.folder.write("a.transcript", "> echo c\n  c\n")
    }

    #expect(scenario.perform() == .success)
    #expect(scenario.log.announced == ["note: two of them", "a.transcript changed"])
    #expect(scenario.log.played.count == 2)
  }

  @Test func `a rebuilt program or a changed list interrupts the play`() throws {
    let scenario = try Scenario(["a.transcript": Self.text, "list": "", "program": "1"])
    let folder = scenario.folder
    scenario.log.meanwhile = [
      { try? folder.write("program", "2") }, { try? folder.write("list", "# x\n") },
    ]

    #expect(scenario.perform(settings: ["list"], program: "program") == .success)
    #expect(scenario.log.restarts == 1)
    #expect(scenario.log.played.count == 3)
    #expect(scenario.log.announced.last == "list changed")
  }

  @Test func `an editor that saves by renaming causes one change`() throws {
    let scenario = try Scenario(["a.transcript": Self.text])
    scenario.then {
      try scenario.folder.write("4913", "")
      unlink(scenario.path("4913"))
      rename(scenario.path("a.transcript"), scenario.path("a.transcript~"))
      try scenario.folder.write("a.transcript.new", Self.text + "> echo\n")
      rename(scenario.path("a.transcript.new"), scenario.path("a.transcript"))
      unlink(scenario.path("a.transcript~"))
    }
    scenario.request(.look)

    _ = scenario.perform()
    #expect(scenario.log.played == [["a.transcript"], ["a.transcript"]])
    #expect(scenario.log.announced == ["a.transcript changed"])
  }

  @Test func `a change of a file that a session read replays its transcript`() throws {
    let scenario = try Scenario([
      "a.transcript": Self.text, "b.transcript": Self.text, "far/x.har": "{}",
    ])
    scenario.log.readings = [
      scenario.path("a.transcript"): [scenario.path("far/../far/x.har")]
    ]
    scenario.then { try scenario.folder.write("far/x.har", "{ }") }

    _ = scenario.perform()
    #expect(scenario.log.played.dropFirst() == [["a.transcript"]])
    #expect(scenario.log.announced == ["far/x.har changed"])
    #expect(scenario.log.statuses.last == WatchStatus(transcripts: 2, others: 1, failing: 0))
  }

  @Test func `a missing file in a missing folder replays its transcript when it appears`()
    throws
  {
    let scenario = try Scenario(["a.transcript": Self.text])
    scenario.log.readings = [
      scenario.path("a.transcript"): [scenario.path("not/yet/x.rehearse")]
    ]
    scenario.then { try scenario.folder.write("not/yet/x.rehearse", "settle") }

    _ = scenario.perform()
    #expect(scenario.log.announced == ["not/yet/x.rehearse is new"])
    #expect(scenario.log.played.count == 2)
  }

  @Test func `added and removed files and folders are noticed`() throws {
    let scenario = try Scenario(["bad.transcript": Self.text])
    scenario.then { try scenario.folder.write("new/deep/c.transcript", Self.text) }
    scenario.then { try scenario.folder.write("new/deep/d.transcript", Self.text) }
    scenario.then { rename(scenario.path("new"), scenario.path("other")) }
    scenario.then { try scenario.folder.write("other/deep/d.transcript", Self.text) }
    scenario.then { unlink(scenario.path("bad.transcript")) }

    #expect(scenario.perform() == .success)
    #expect(
      scenario.log.announced == [
        "new/deep/c.transcript is new", "new/deep/d.transcript is new",
        "other/deep/c.transcript is new, other/deep/d.transcript is new, "
          + "new/deep/c.transcript is gone, and 1 more",
        "other/deep/d.transcript changed", "bad.transcript is gone",
      ]
    )
    #expect(scenario.log.statuses.last == WatchStatus(transcripts: 2, others: 0, failing: 0))
  }

  @Test func `a named file that was removed, or an empty run, is not a success`()
    throws
  {
    let scenario = try Scenario(["a.transcript": Self.text, "b.transcript": Self.text])
    scenario.log.named = [scenario.path("a.transcript")]
    scenario.then { unlink(scenario.path("a.transcript")) }

    #expect(scenario.perform() == .usage)
    #expect(
      scenario.log.statuses.last == WatchStatus(transcripts: 1, others: 0, failing: 0, missing: 1)
    )

    let other = try Scenario(["bad.transcript": Self.text])
    other.then { unlink(other.path("bad.transcript")) }
    #expect(other.perform() == .usage)
    #expect(other.log.statuses.last == WatchStatus(transcripts: 0, others: 0, failing: 0))
  }

  @Test func `a write into the target of a link is noticed`() throws {
    let scenario = try Scenario(["a.transcript": Self.text])
    let outside = try TemporaryFolder()
    try outside.write("real.txt", Self.text)
    symlink(outside.path + "/real.txt", scenario.path("link.transcript"))
    scenario.then { try outside.write("real.txt", Self.text + Self.text) }

    _ = scenario.perform()
    #expect(scenario.log.announced == ["link.transcript changed"])
  }

  @Test func `a user can request all files again, or the failed ones`() throws {
    let scenario = try Scenario(["a.transcript": Self.text, "bad.transcript": Self.text])
    scenario.request(.playAll)
    scenario.request(.playFailed)

    #expect(scenario.perform() == .differences)
    #expect(
      scenario.log.played.dropFirst() == [["a.transcript", "bad.transcript"], ["bad.transcript"]]
    )
  }

  @Test func `a change of a common setting plays all files`() throws {
    let scenario = try Scenario(["a.transcript": Self.text, "b.transcript": Self.text, "known": ""])
    scenario.then { try scenario.folder.write("known", "a.transcript\n") }

    _ = scenario.perform(settings: ["known"])
    #expect(scenario.log.played.last == ["a.transcript", "b.transcript"])
  }

  @Test func `a rebuilt program restarts, or continues if it cannot`() throws {
    let scenario = try Scenario(["a.transcript": Self.text, "bin/shell": "1"])
    scenario.then { try scenario.folder.write("bin/shell", "2") }
    scenario.request(.look)

    _ = scenario.perform(program: "bin/shell")
    #expect(scenario.log.restarts == 1)
    #expect(scenario.log.played.count == 1)
    #expect(scenario.log.announced.last == "note: the old program continues: permission denied")
  }

  @Test func `a change of an unrelated file plays nothing`() throws {
    let scenario = try Scenario(["a.transcript": Self.text])
    scenario.then { try scenario.folder.write("notes.txt", "x") }
    scenario.then { try scenario.folder.write(".a.transcript.swp", "x") }

    _ = scenario.perform()
    #expect(scenario.log.played.count == 1)
  }
}

@Suite struct WatchingFoldersTests {
  @Test func `shared folders are recognised by their mounts`() {
    var status = stat()
    stat(NSTemporaryDirectory(), &status)
    let device = UInt64(status.st_dev)
    let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFFF_FF00)
    let line = { (type: String) in "36 35 \(major):\(minor) / /mnt rw - \(type) host:/x rw\n" }
    let folders: Set = [NSTemporaryDirectory()]

    #expect(SharedFileSystems(mounts: line("nfs4")).type(of: folders) == "nfs4")
    #expect(SharedFileSystems(mounts: line("fuse.sshfs")).type(of: folders) == "fuse.sshfs")
    #expect(SharedFileSystems(mounts: line("ext4")).type(of: folders) == nil)
    #expect(SharedFileSystems(mounts: "rubbish\n1 2 3\n").type(of: folders) == nil)
  }

  @Test func `a file is noticed when it is closed, not while it is still empty`() throws {
    let folder = try TemporaryFolder()
    let watch = FolderWatch(folders: [folder.path])
    let file = open(folder.path + "/a.transcript", O_CREAT | O_WRONLY, 0o600)

    #expect(watch.takeNotices() == false)
    close(file)
    #expect(watch.takeNotices())
    #expect(watch.takeNotices() == false)
    #expect(!watch.isStale)
    mkdir(folder.path + "/deep", 0o700)
    #expect(watch.takeNotices())
    #expect(watch.isStale)
  }

  @Test func `a link in the middle of a chain is noticed, other files next to it are not`() throws {
    let folder = try TemporaryFolder(["one/a.transcript": "", "two/a.transcript": ""])
    for name in ["links", "t"] { mkdir(folder.path + "/" + name, 0o700) }
    symlink("../one", folder.path + "/links/current")
    symlink("../links/current/a.transcript", folder.path + "/t/a.transcript")
    let folders = Set(Folder.whereChangesShow(of: folder.path + "/t/a.transcript"))
    let watch = FolderWatch(folders: folders, entries: Folder.entries(leadingTo: folders))

    try folder.write("links/other", "")
    #expect(!watch.takeNotices())
    unlink(folder.path + "/links/current")
    symlink("../two", folder.path + "/links/current")
    #expect(watch.takeNotices())
  }

  @Test func `a folder above a watched one is noticed if it is renamed`() throws {
    let folder = try TemporaryFolder(["o/p/t/a.transcript": "", "q/p/t/a.transcript": ""])
    let folders = Set(Folder.whereChangesShow(of: folder.path + "/o/p/t/a.transcript"))
    let watch = FolderWatch(folders: folders, entries: Folder.entries(leadingTo: folders))

    mkdir(folder.path + "/r", 0o700)
    #expect(!watch.takeNotices())
    #expect(!watch.isStale)
    rename(folder.path + "/o", folder.path + "/old")
    #expect(watch.takeNotices())
    #expect(watch.isStale)
  }

  @Test func `too many folders are polled`() {
    let folders = Set((0...FolderWatch.folderLimit).map { "/none/\($0)" })
    let watch = FolderWatch(folders: folders)

    #expect(watch.descriptor == nil)
    #expect(watch.reason == .tooManyFolders(FolderWatch.folderLimit + 1))
  }
}
