import LibC

/// Separately mapped memory, filled with zeros. The system allocates pages when they are first written.
package struct SharedRegion: @unchecked Sendable {
  // The users of the region coordinate their writes.
  package let base: UnsafeMutableRawPointer
  package let size: Int

  /// Maps the memory; nil if the system has none.
  ///
  /// - Parameters:
  ///   - size: in bytes.
  ///   - isShared: whether copies of this process see the same memory. It outlives them.
  package init?(size: Int, isShared: Bool = true) {
    let flags = (isShared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS
    guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), base != MAP_FAILED
    else { return nil }
    (self.base, self.size) = (base, size)
  }

  package func unmap() { munmap(base, size) }
}
