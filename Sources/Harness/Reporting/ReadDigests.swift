/// Digests of the files that the transcripts of a shard read, so that shards of different files are not put together.
///
/// A file that was written after the run began is left out: a transcript wrote it, and another shard has another one.
struct ReadDigests {
  /// The digests by the paths of the files, as every machine names them.
  private(set) var digests: [String: String] = [:]

  /// - Parameters:
  ///   - readings: what transcripts read.
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
