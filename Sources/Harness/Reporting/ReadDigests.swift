import RehearsalBase

/// Digests of the files that the transcripts of a shard read. They prevent merging shards that read different files.
///
/// A file that was written after the start of the run has no digest, because another shard may have read other content.
/// A note names it.
struct ReadDigests {
  /// The digests by file path. The paths are the same on every machine.
  private(set) var digests: [String: String] = [:]
  /// Notes about the files that have no digest, a line each, in the order of their paths.
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - readings: the files that the transcripts read.
  ///   - start: the moment at which the run began.
  init(_ readings: some Sequence<FileReading>, since start: FileMoment) {
    let naming = PathKey()
    var uncompared: [String: String] = [:]
    for reading in readings where reading.stamp.exists {
      let key = naming.key(reading.path)
      // A folder or a device has no content that could differ.
      guard reading.stamp.isOrdinary else {
        digests[key] = "no file"
        continue
      }
      if reading.stamp.wasWritten(since: start) {
        uncompared[key] = "it was written after the run began, or by a clock that is ahead"
        continue
      }
      guard digests[key] == nil else { continue }
      do throws(FileProblem) {
        let bytes = try FileBytes.readAny(reading.path, limitInBytes: .max)
        digests[key] = FNV1a.digits(FNV1a.hash(bytes))
      } catch {
        uncompared[key] = "\(error.sentence), since a transcript read it"
      }
    }
    for key in uncompared.keys { digests[key] = nil }
    notes = uncompared.sorted { $0.key < $1.key }.map { path, reason in
      "\(FailureText.quoted(path)) is not compared with what other shards read: \(reason)"
    }
  }
}
