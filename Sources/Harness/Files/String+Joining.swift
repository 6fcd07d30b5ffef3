/// Joins three texts without spare memory.
extension String {
  /// Joins texts without spare capacity, which `+` would add.
  init(
    joining first: some StringProtocol,
    _ second: some StringProtocol,
    _ third: some StringProtocol
  ) {
    let count = first.utf8.count + second.utf8.count + third.utf8.count
    self.init(unsafeUninitializedCapacity: count) { buffer in
      var place = 0
      func add(_ text: some StringProtocol) {
        place += buffer[place...].initialize(fromContentsOf: text.utf8) - place
      }
      add(first)
      add(second)
      add(third)
      return place
    }
  }
}
