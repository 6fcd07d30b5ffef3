#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Which input each worker is at, in memory that the workers share with who watches them.
struct Board {
  struct Place {
    var index = 0
    /// When it began, in milliseconds.
    var began = 0
  }

  private let places: UnsafeMutablePointer<Place>

  init(workers: Int) {
    let size = workers * MemoryLayout<Place>.stride
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0)
    guard let memory, memory != MAP_FAILED else { fatalError("no memory to share") }
    places = memory.bindMemory(to: Place.self, capacity: workers)
  }

  subscript(worker: Int) -> Place {
    get { places[worker] }
    nonmutating set { places[worker] = newValue }
  }

  static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }
}

/// Writes a line on standard error, at once.
func complain(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  _ = write(2, bytes, bytes.count)
}
