#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files of a shell: those of the disk, relative to the folder that the program runs in.
@MainActor package final class DiskFiles: SessionFiles {
  private let program: String?

  /// - Parameter program: the path of a program like `rehearse`, to play transcripts when this
  ///   process has threads; without one they are not played then.
  package nonisolated init(program: String? = nil) {
    self.program = program
  }

  package func read(_ path: String) throws(FileProblem) -> [UInt8] {
    try FileBytes.read(path)
  }

  package func readAny(_ path: String, limitInBytes: Int) throws(FileProblem) -> [UInt8] {
    try FileBytes.readAny(path, limitInBytes: limitInBytes)
  }

  package func write(_ path: String, _ bytes: [UInt8]) throws(FileProblem) {
    try AtomicFile.write(bytes, to: path)
  }

  package func append(to path: String) throws(FileProblem) -> any FileAppender {
    try DiskAppender(path)
  }

  package func entries(in folder: String) -> [String] {
    Folder.entries(of: folder.isEmpty ? "." : folder)
  }

  package func path(_ path: String, from script: String?) -> String {
    Folder.path(path, from: script)
  }

  package func identity(of path: String) -> String { Folder.realPath(path) ?? path }

  package var threadedReplay: ThreadedReplay { program.map { .program($0) } ?? .refused }
}

/// A file that grows line by line. What was appended survives the end of the process, however it
/// comes; only the end of the whole machine can take it away.
@MainActor private final class DiskAppender: FileAppender {
  private let path: String
  private var descriptor: Int32
  private var isOpen = true

  init(_ path: String) throws(FileProblem) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileProblem(errno: errno) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
      close()
      throw .notEmpty
    }
  }

  func append(_ text: String) throws(FileProblem) {
    try FileBytes.write(Array(text.utf8), to: descriptor)
  }

  func replace(after length: Int, with text: String) throws(FileProblem) {
    guard isReplaceable else { return try replaceInPlace(after: length, with: text) }
    let kept = try FileBytes.readAny(path, limitInBytes: .max).prefix(length)
    try AtomicFile.write(kept + Array(text.utf8), to: path, forcesToDisk: false)
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard file >= 0 else { throw FileProblem(errno: errno) }
    close()
    (descriptor, isOpen) = (file, true)
  }

  /// Whether the file is still the one at its path, in a folder where another can take its place.
  private var isReplaceable: Bool {
    var (opened, present) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0, opened.st_mode & S_IFMT == S_IFREG,
      let real = Folder.realPath(path), stat(real, &present) == 0
    else { return false }
    return opened.st_ino == present.st_ino && opened.st_dev == present.st_dev
      && access(Folder.path(".", from: real), W_OK) == 0
  }

  /// Whoever is killed meanwhile leaves new lines before old ones.
  private func replaceInPlace(after length: Int, with text: String) throws(FileProblem) {
    // What is appended comes last, wherever it is told to go.
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

  func close() {
    guard isOpen else { return }
    isOpen = false
    #if canImport(Glibc)
    _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
    _ = Musl.close(descriptor)
    #else
    _ = Darwin.close(descriptor)
    #endif
  }
}
