import LibC

/// A temporary folder with our transcripts in the format of another runner.
struct PeerFolder {
  let path: String
  private let peer: Peer
  /// The files of the transcripts.
  private var tests: [String] = []

  /// Writes the files; nil if that fails.
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

  /// Replays all files; nil if that fails.
  func replay() -> ChildProcess.End? {
    let command = peer.command(tests)
    guard let end = ChildProcess.run(command, in: path, hiding: .outputAndErrors), end.status == 0
    else { return nil }
    return end
  }

  /// Removes the folder with all files that the runner wrote.
  func remove() { _ = ChildProcess.run(["rm", "-rf", path]) }
}
