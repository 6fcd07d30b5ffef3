/// A digest of the selected transcripts and of the cut into shards: equal in all shards of one run, and different if
/// a shard was cut from other files, other contents, other filters, or by another history.
struct SelectionDigest: Equatable {
  /// Sixteen hexadecimal digits.
  let text: String

  /// Reads every selected file, also those of other shards.
  ///
  /// - Parameters:
  ///   - entries: all selected files, whichever shard plays them.
  ///   - keys: their names, which are the same on every machine.
  ///   - parts: the part that each file belongs to.
  ///   - count: the number of parts.
  init(_ entries: [TranscriptSelection.Entry], _ keys: [String], _ parts: [Int], of count: Int) {
    let lines = entries.indices.map { index in
      let fences = entries[index].fences.map { $0.sorted().map(String.init).joined(separator: ",") }
      return "\(parts[index]) \(Self.content(of: entries[index])) \(fences ?? "all") \(keys[index])"
    }
    let hash = FNV1a.hash(([String(count)] + lines.sorted()).joined(separator: "\n").utf8)
    let digits = String(hash, radix: 16)
    text = String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func content(of entry: TranscriptSelection.Entry) -> String {
    guard entry.problem == nil, let bytes = entry.bytes ?? (try? FileBytes.read(entry.path)) else {
      return "unreadable"
    }
    return String(FNV1a.hash(bytes), radix: 16)
  }
}
