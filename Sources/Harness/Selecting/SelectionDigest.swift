import RehearsalBase

/// A digest of the selected transcripts, of the division into shards, and of the settings that decide which results
/// pass.
///
/// It is equal in all shards of one run. It differs if a shard was selected from other files, other contents, with
/// other filters, with another history, or has another list of known flaky transcripts.
struct SelectionDigest: Equatable {
  /// Sixteen hexadecimal digits.
  let text: String

  /// Reads every selected file, including those of other shards.
  ///
  /// - Parameters:
  ///   - entries: all selected files, whichever shard plays them.
  ///   - keys: their names, which are the same on every machine.
  ///   - parts: the part that each file belongs to.
  ///   - count: the number of parts.
  ///   - settings: the settings that decide which results pass, one text each.
  init(
    _ entries: [TranscriptSelection.Entry],
    _ keys: [String],
    _ parts: [Int],
    of count: Int,
    settings: [String]
  ) {
    let lines = entries.indices.map { index in
      let fences = entries[index].fences.map { $0.sorted().map(String.init).joined(separator: ",") }
      return "\(parts[index]) \(Self.content(of: entries[index])) \(fences ?? "all") \(keys[index])"
    }
    let all = [String(count)] + settings + lines.sorted()
    text = FNV1a.digits(FNV1a.hash(all.joined(separator: "\n").utf8))
  }

  private static func content(of entry: TranscriptSelection.Entry) -> String {
    guard entry.problem == nil, let bytes = entry.bytes ?? (try? FileBytes.read(entry.path)) else {
      return "unreadable"
    }
    return String(FNV1a.hash(bytes), radix: 16)
  }
}
