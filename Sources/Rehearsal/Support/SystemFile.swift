#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files by the system's own calls: Foundation would cost milliseconds at every start.
package enum SystemFile {
  /// The whole file.
  ///
  /// - Throws: the system's reason, also for a folder and for what is larger than `limit` bytes.
  package static func read(_ path: String, limit: Int = 1 << 30) throws(FileFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system() }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw FileFailure(reason: "it is a folder") }
    guard status.st_size <= limit else {
      throw FileFailure(reason: "it is larger than \(limit / 1_048_576) MB")
    }
    return try readAll(descriptor, expecting: Int(status.st_size), limit: limit)
  }

  private static func readAll(
    _ descriptor: Int32,
    expecting size: Int,
    limit: Int
  ) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var room = size + 1
    while true {
      var count = 0
      let more = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
        count = systemRead(descriptor, buffer.baseAddress, room)
        initialized = max(0, count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .system()
      }
      if count == 0 { return bytes }
      if bytes.isEmpty { bytes = more } else { bytes += more }
      guard bytes.count <= limit else {
        throw FileFailure(reason: "it is larger than \(limit / 1_048_576) MB")
      }
      room = max(4096, size + 1 - bytes.count)
    }
  }

  private static func systemRead(
    _ descriptor: Int32,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ count: Int
  ) -> Int {
    #if canImport(Glibc)
    Glibc.read(descriptor, buffer, count)
    #elseif canImport(Musl)
    Musl.read(descriptor, buffer, count)
    #else
    Darwin.read(descriptor, buffer, count)
    #endif
  }

  /// Replaces a file as a whole: readers see the old one or the new one. Its mode stays; a new file
  /// is readable for all and writable for its owner, as far as the umask lets it.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(FileFailure) {
    var target = path
    // Through a symbolic link, the file behind it is replaced, not the link.
    if let real = realPath(path) { target = real }
    var status = stat()
    let exists = stat(target, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      return try writeInPlace(target, bytes)
    }
    let temporary = "\(target).\(getpid()).tmp"
    let mode = exists ? status.st_mode & 0o7777 : 0o666
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .system() }
    do throws(FileFailure) {
      try write(bytes[...], to: descriptor)
      guard fsync(descriptor) == 0 else { throw .system() }
      if exists { fchmod(descriptor, mode) }
      guard close(descriptor) == 0 else { throw .system() }
      guard rename(temporary, target) == 0 else { throw .system() }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
  }

  /// What is no regular file, `/dev/stdout` say, can only be written to.
  private static func writeInPlace(_ path: String, _ bytes: [UInt8]) throws(FileFailure) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system() }
    defer { close(descriptor) }
    try write(bytes[...], to: descriptor)
  }

  package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(FileFailure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw .system() }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private static func systemWrite(
    _ descriptor: Int32,
    _ buffer: UnsafeRawPointer?,
    _ count: Int
  ) -> Int {
    #if canImport(Glibc)
    Glibc.write(descriptor, buffer, count)
    #elseif canImport(Musl)
    Musl.write(descriptor, buffer, count)
    #else
    Darwin.write(descriptor, buffer, count)
    #endif
  }

  /// The names in a folder, sorted by their bytes, folders with a `/` behind them; none where the
  /// folder cannot be read.
  package static func entries(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      var status = stat()
      let isFolder = stat(folder + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      names.append(isFolder ? name + "/" : name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The file's one true path; nil where there is no file.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

extension FileFailure {
  /// The failure that the system has just reported.
  static func system() -> FileFailure { FileFailure(code: errno) }

  /// The failure that the system means by an `errno`.
  package init(code: Int32) {
    self.init(reason: String(cString: strerror(code)).lowercasedFirst)
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
