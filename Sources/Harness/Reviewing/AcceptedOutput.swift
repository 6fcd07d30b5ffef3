import RehearsalBase

/// The files that an update rewrites: reads each again, and refuses one that changed meanwhile. Each is written once,
/// with the accepted output of all its transcripts.
struct AcceptedOutput {
  /// The reported results. A transcript whose file could not be written has failed.
  private(set) var plays: [TranscriptPlay]

  /// Maximum number of attempts if other updates write the same file.
  private static let attempts = 3

  /// Writes the files.
  ///
  /// - Parameters:
  ///   - plays: the reported results, in any order.
  ///   - entries: all files of the run.
  init(_ plays: [TranscriptPlay], _ entries: [TranscriptSelection.Entry]) {
    self.plays = plays
    var updated: [Int: [Int]] = [:]
    for (index, play) in plays.enumerated() where play.outcome == .updated {
      updated[play.file, default: []].append(index)
    }
    for (file, indices) in updated.sorted(by: { $0.key < $1.key }) {
      let path = entries[file].path
      do throws(FileProblem) {
        let shifts = try Self.write(indices.map { plays[$0] }, path)
        for (index, shift) in zip(indices, shifts) { self.plays[index].moveLines(by: shift) }
      } catch {
        let failure = TranscriptFailure(path: path, line: 0, problem: .file(error))
        for index in indices { self.plays[index].fail([failure]) }
      }
    }
  }

  /// - Returns: for each transcript, the number of lines by which it moved down.
  private static func write(
    _ plays: [TranscriptPlay],
    _ path: String
  ) throws(FileProblem) -> [Int] {
    let proposals = plays.compactMap(\.proposal)
    for attempt in 1...attempts {
      let bytes = try FileBytes.read(path)
      let base = FNV1a.hash(bytes)
      guard proposals.allSatisfy({ $0.base == base }) else {
        try check(bytes, holds: proposals, of: plays, path)
        return plays.map { _ in 0 }
      }
      do throws(FileProblem) {
        let content = TextEdit.apply(proposals.flatMap(\.edits), to: bytes)
        try AtomicFile.write(content, to: path, replacing: bytes)
        return shifts(of: proposals, in: bytes)
      } catch {
        guard error == .changed, attempt < attempts else { throw error }
      }
    }
    throw .changed
  }

  /// Returns for each proposal the number of lines that the proposals before it add.
  private static func shifts(of proposals: [Proposal], in bytes: [UInt8]) -> [Int] {
    var added: [(place: Int, lines: Int)] = []
    for proposal in proposals {
      let lines = proposal.edits.map { edit in
        edit.replacement.count { $0 == .lineFeed } - bytes[edit.range].count { $0 == .lineFeed }
      }
      added.append((proposal.edits.map(\.range.lowerBound).min() ?? 0, lines.reduce(0, +)))
    }
    return added.map { one in added.filter { $0.place < one.place }.reduce(0) { $0 + $1.lines } }
  }

  /// Accepts a file that changed during the run, if another update has written the same transcripts into it.
  private static func check(
    _ bytes: [UInt8],
    holds proposals: [Proposal],
    of plays: [TranscriptPlay],
    _ path: String
  ) throws(FileProblem) {
    let present = Transcripts.parse(path, bytes, for: nil)
    for (play, proposal) in zip(plays, proposals) {
      guard present.indices.contains(play.fence),
        present[play.fence].hashOfLines == proposal.result
      else { throw .changed }
    }
  }
}
