import LibC

/// The files on disk, with paths relative to the folder of the program or of a file.
@MainActor package final class DiskFiles: SessionFiles {
  private let program: String?
  /// The script or transcript whose folder paths are relative to.
  package private(set) var origin: String?
  /// Empty: all files are on disk.
  package let fixtures = Fixtures()
  package let unreadFixtures: [String] = []

  /// - Parameters:
  ///   - program: the path of a program like `rehearse`, which plays transcripts if this process
  ///     has threads; without it, they are refused then.
  ///   - file: the file whose folder paths are relative to.
  package nonisolated init(program: String? = nil, besides file: String? = nil) {
    self.program = program
    origin = file
  }

  /// Makes paths relative to the folder of a file, unless it is a device.
  ///
  /// - Returns: whether the folder changed.
  package func seePaths(from file: String) -> Bool {
    var status = stat()
    let folder = Folder.path(".", from: file)
    guard stat(place(of: file), &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      identity(of: folder) != identity(of: ".")
    else { return false }
    origin = file
    return true
  }

  private func place(of path: String) -> String { Folder.path(path, from: origin) }

  package func read(_ path: String) throws(FileProblem) -> [UInt8] {
    try FileBytes.read(place(of: path))
  }

  package func readAny(_ path: String, limitInBytes: Int) throws(FileProblem) -> [UInt8] {
    try FileBytes.readAny(place(of: path), limitInBytes: limitInBytes)
  }

  package func write(_ path: String, _ bytes: [UInt8]) throws(FileProblem) {
    let place = place(of: path)
    let folders = try Folder.makeAll(above: place)
    do throws(FileProblem) {
      try AtomicFile.write(bytes, to: place)
    } catch {
      Folder.removeEmpty(folders)
      throw error
    }
  }

  package func append(to path: String) throws(FileProblem) -> any FileAppender {
    try DiskAppender(place(of: path))
  }

  package func entries(in folder: String) -> [String] {
    Folder.entries(of: place(of: folder.isEmpty ? "." : folder))
  }

  package func path(_ path: String, from script: String?) -> String {
    Folder.path(path, from: script)
  }

  package func identity(of path: String) -> String {
    Folder.realPath(place(of: path)) ?? place(of: path)
  }

  package func note(_ readings: [FileReading]) {}

  package var testNesting: Int { 0 }

  package var threadedReplay: ThreadedReplay { program.map { .program($0) } ?? .refused }
}

/// A file that grows line by line. Appended text survives the end of the process, but not a power
/// failure.
@MainActor private final class DiskAppender: FileAppender {
  private let path: String
  /// Whether the file did not exist before.
  private let isNew: Bool
  private let folders: [String]
  private var descriptor: Int32
  private var isOpen = true
  /// Number of written bytes that are still valid.
  private var length = 0

  init(_ path: String) throws(FileProblem) {
    self.path = path
    folders = try Folder.makeAll(above: path)
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
    var file = open(path, flags | O_EXCL, 0o666)
    isNew = file >= 0
    if file < 0, errno == EEXIST { file = open(path, flags, 0o666) }
    descriptor = file
    guard file >= 0 else {
      let problem = FileProblem(errno: errno)
      Folder.removeEmpty(folders)
      throw problem
    }
    if isEmpty == false {
      close()
      throw .notEmpty
    }
  }

  /// Whether the file is empty; nil if it is not a regular file.
  private var isEmpty: Bool? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status.st_size == 0
  }

  func append(_ text: String) throws(FileProblem) {
    let bytes = Array(text.utf8)
    try FileBytes.write(bytes, to: descriptor)
    length += bytes.count
    try check()
  }

  /// Throws an error if text is lost, because the file was deleted or another program wrote into it.
  private func check() throws(FileProblem) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    if status.st_nlink == 0 { throw .missing }
    if Int(status.st_size) != length { throw .changed }
  }

  func replace(after length: Int, with text: String) throws(FileProblem) {
    try check()
    defer { self.length = length + text.utf8.count }
    guard isReplaceable else { return try replaceInPlace(after: length, with: text) }
    let kept = try FileBytes.readAny(path, limitInBytes: .max).prefix(length)
    try AtomicFile.write(kept + Array(text.utf8), to: path, forcesToDisk: false)
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard file >= 0 else { throw FileProblem(errno: errno) }
    closeDescriptor()
    descriptor = file
  }

  /// Whether the file is still at its path, in a folder where it can be replaced.
  private var isReplaceable: Bool {
    guard isEmpty != nil, isAtItsPath, let real = Folder.realPath(path) else { return false }
    return access(Folder.path(".", from: real), W_OK) == 0
  }

  private var isAtItsPath: Bool {
    var (opened, present) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && stat(path, &present) == 0
      && opened.st_ino == present.st_ino && opened.st_dev == present.st_dev
  }

  /// Overwrites the end of the file. If the process is killed meanwhile, new lines may come before
  /// old ones.
  private func replaceInPlace(after length: Int, with text: String) throws(FileProblem) {
    // With O_APPEND, a write ignores the position.
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~O_APPEND) >= 0,
      lseek(descriptor, off_t(length), SEEK_SET) >= 0
    else { throw FileProblem(errno: errno) }
    defer { _ = fcntl(descriptor, F_SETFL, flags) }
    let bytes = Array(text.utf8)
    try FileBytes.write(bytes, to: descriptor)
    guard ftruncate(descriptor, off_t(length + bytes.count)) == 0 else {
      throw FileProblem(errno: errno)
    }
  }

  @discardableResult func close() -> Bool {
    guard isOpen else { return true }
    isOpen = false
    defer { closeDescriptor() }
    guard isNew, isEmpty == true, isAtItsPath else { return true }
    unlink(path)
    Folder.removeEmpty(folders)
    return false
  }

  private func closeDescriptor() {
    _ = LibC.close(descriptor)
  }
}
