/// Digests of the files that the transcripts of a shard read. They prevent merging shards that read different files.
///
/// Files that were written after the start of the run are left out: a transcript wrote them, and another shard has its
/// own.
struct ReadDigests {
  /// The digests by file path. The paths are the same on every machine.
  private(set) var digests: [String: String] = [:]

  /// - Parameters:
  ///   - readings: the files that the transcripts read.
  ///   - start: the real time at which the run began, in seconds since 1970.
  init(_ readings: some Sequence<FileReading>, since start: Int) {
    let naming = PathKey()
    for reading in readings where !reading.stamp.wasWritten(since: start) {
      let key = naming.key(reading.path)
      guard digests[key] == nil,
        let bytes = try? FileBytes.readAny(reading.path, limitInBytes: .max)
      else { continue }
      digests[key] = FNV1a.digits(FNV1a.hash(bytes))
    }
  }
}
