extension String {
  /// Texts in one, in no more memory than that takes: `+` leaves room for what may follow.
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
