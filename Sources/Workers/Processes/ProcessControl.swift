import LibC

/// Checks repeatedly whether this process has only the calling thread. A copy of the process needs its own instance,
/// because the open folder belongs to the process that opened it.
package struct ThreadWatch {
  #if os(Linux)
  /// Kept open, because looking it up each time takes five times as long.
  private let folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)

  package init() {}

  package var isSingleThreaded: Bool {
    var status = stat()
    // If no more files can be opened, look up the path.
    let result = folder < 0 ? stat("/proc/self/task", &status) : fstat(folder, &status)
    // The folder has two links, and one for the subfolder of each thread.
    return result != 0 || status.st_nlink <= 3
  }

  func end() { close(folder) }
  #else
  package init() {}

  package var isSingleThreaded: Bool { pthread_is_threaded_np() == 0 }

  func end() {}
  #endif
}

/// Facts about this process and the machine.
package enum ProcessControl {
  /// Whether this process has only the calling thread.
  package static var isSingleThreaded: Bool {
    let threads = ThreadWatch()
    defer { threads.end() }
    return threads.isSingleThreaded
  }

  /// Monotonic real time, in milliseconds.
  package static var milliseconds: Int { microseconds / 1_000 }

  /// Monotonic real time, in microseconds.
  package static var microseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1_000
  }

  package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
