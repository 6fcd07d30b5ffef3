import LibC
import Workers

/// The mounted file systems that somebody else than this system may change: by a network, from a host, or by a
/// program.
struct SharedFileSystems {
  private let types: [UInt64: String]

  /// Those of this system now.
  init() {
    self.init(mounts: Self.mounts)
  }

  /// - Parameter mounts: lines as `/proc/self/mountinfo` has them.
  init(mounts: String) {
    var types: [UInt64: String] = [:]
    for line in mounts.utf8.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
      guard words.count > 3, let dash = words.firstIndex(of: "-"), dash + 1 < words.count,
        Self.isShared(words[dash + 1])
      else { continue }
      let numbers = words[2].utf8.split(separator: UInt8(ascii: ":")).map { Substring($0) }
      guard numbers.count == 2, let major = UInt64(numbers[0]), let minor = UInt64(numbers[1])
      else { continue }
      types[major << 32 | minor] = words[dash + 1]
    }
    self.types = types
  }

  /// The type of the first of these folders, by path, that lies on such a file system.
  func type(of folders: Set<String>) -> String? {
    if types.isEmpty { return nil }
    return folders.sorted().lazy.compactMap(type).first
  }

  private func type(of folder: String) -> String? {
    var status = stat()
    guard stat(folder, &status) == 0 else { return nil }
    let device = UInt64(truncatingIfNeeded: status.st_dev)
    // How C's library packs the two numbers of a device into one.
    let major = (device >> 8 & 0xFFF) | (device >> 32 & 0xFFFF_F000)
    let minor = (device & 0xFF) | (device >> 12 & 0xFFFF_FF00)
    return types[major << 32 | minor]
  }

  private static func isShared(_ type: String) -> Bool {
    let families = [
      "nfs", "cifs", "smb", "9p", "fuse.", "afs", "ceph", "vboxsf", "prl_fs", "virtiofs",
    ]
    return type == "fuse" || families.contains { type.utf8.starts(with: $0.utf8) }
  }

  private static var mounts: String {
    let file = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while bytes.count < 1 << 20 {
      let count = Descriptor.read(file, &chunk, chunk.count)
      if count <= 0 { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
