/// Removes a byte order mark from the beginning of a file's content.
extension ArraySlice<UInt8> {
  /// The text without a byte order mark, which some editors write at the beginning of a file.
  var withoutByteOrderMark: ArraySlice<UInt8> {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return starts(with: mark) ? dropFirst(mark.count) : self
  }
}
