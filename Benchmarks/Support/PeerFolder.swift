import LibC

/// A temporary folder with what our transcripts say in the form of somebody else's runner.
struct PeerFolder {
  let path: String
  private let peer: Peer
  /// The files that stand for transcripts, one for each.
  private var tests: [String] = []

  /// Writes the files; nil when the disk does not take them.
  init?(_ peer: Peer) {
    guard let folder = TemporaryName.folder() else { return nil }
    path = folder
    self.peer = peer
    var files = peer.settings
    for index in 0..<peer.count {
      let transcript = peer.files(index, TranscriptFolder.exchanges(index))
      tests += transcript.prefix(1).map(\.name)
      files += transcript
    }
    for file in files {
      guard let stream = fopen("\(path)/\(file.name)", "w") else { return nil }
      defer { fclose(stream) }
      fputs(file.text, stream)
    }
    sync()
  }

  /// Replays it all; nil when that fails.
  func replay() -> ChildProcess.End? {
    let command = peer.command(tests)
    guard let end = ChildProcess.run(command, in: path, hiding: .outputAndErrors), end.status == 0
    else { return nil }
    return end
  }

  /// Takes what the runner left there as well.
  func remove() { _ = ChildProcess.run(["rm", "-rf", path]) }
}
