import LibC
import Workers

/// The mounted file systems that can change without this system: network file systems, folders shared by a host, and
/// file systems of programs.
struct SharedFileSystems {
  private let types: [UInt64: String]

  /// Reads the current mounts of this system.
  init() {
    self.init(mounts: Self.mounts)
  }

  /// - Parameter mounts: lines in the format of `/proc/self/mountinfo`.
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

  /// Returns the type of the first folder, by path, that is on such a file system.
  func type(of folders: Set<String>) -> String? {
    if types.isEmpty { return nil }
    return folders.sorted().lazy.compactMap(type).first
  }

  private func type(of folder: String) -> String? {
    var status = stat()
    guard stat(folder, &status) == 0 else { return nil }
    let device = UInt64(truncatingIfNeeded: status.st_dev)
    // The C library packs the two numbers of a device in this way.
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
