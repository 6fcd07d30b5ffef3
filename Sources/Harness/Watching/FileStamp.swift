import LibC

/// The metadata of a path: two stamps of one path are equal if nothing was written to it in between.
package struct FileStamp: Codable, Equatable, Sendable {
  /// Device and file numbers, size, mode, and the times of the last write and the last change; zeros if there is no file.
  let words: [Int]

  /// Reads the metadata of a path and follows symbolic links.
  package init(of path: String) {
    var status = stat()
    words = stat(path, &status) == 0 ? Self.words(status) : []
  }

  init(words: [Int]) { self.words = words }

  /// Whether a file exists at the path.
  var exists: Bool { !words.isEmpty }

  /// Whether there is a regular file.
  var isOrdinary: Bool { exists && mode_t(truncatingIfNeeded: words[3]) & S_IFMT == S_IFREG }

  /// Whether there is no file at the path, or an empty one.
  var isEmpty: Bool { words.isEmpty || words[2] == 0 }

  /// Returns whether the file was written or changed at or after a moment; false if there is no file.
  func wasWritten(since start: FileMoment) -> Bool {
    guard exists else { return false }
    return max(FileMoment(words[4], words[5]), FileMoment(words[6], words[7])) >= start
  }

  private static func words(_ status: stat) -> [Int] {
    #if canImport(Darwin)
    let (written, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
    let (written, changed) = (status.st_mtim, status.st_ctim)
    #endif
    return [
      Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino),
      Int(status.st_size), Int(status.st_mode),
      Int(written.tv_sec), Int(written.tv_nsec), Int(changed.tv_sec), Int(changed.tv_nsec),
    ]
  }
}

/// A time stamp of a file.
struct FileMoment: Comparable {
  private let seconds: Int
  private let nanoseconds: Int

  /// - Parameters:
  ///   - seconds: since 1970.
  ///   - nanoseconds: after these seconds.
  init(_ seconds: Int, _ nanoseconds: Int) {
    (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
  }

  /// The time stamp of a file that is written now. The clock of file systems advances in steps of some milliseconds.
  static var now: FileMoment {
    var time = timespec()
    #if canImport(Darwin)
    clock_gettime(CLOCK_REALTIME, &time)
    #else
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    #endif
    return FileMoment(time.tv_sec, time.tv_nsec)
  }

  static func < (first: FileMoment, second: FileMoment) -> Bool {
    (first.seconds, first.nanoseconds) < (second.seconds, second.nanoseconds)
  }
}

/// A file that a transcript read, or looked for and did not find.
package struct FileReading: Codable, Equatable, Sendable {
  /// The path, relative to the current folder of the program.
  package let path: String
  /// The metadata just before it was read.
  package let stamp: FileStamp

  /// Records a file that is about to be read.
  package init(of path: String) {
    self.path = path
    stamp = FileStamp(of: path)
  }
}
