/// How long a transcript has taken, without the time in which other work had the processors.
struct PlayClock {
  /// How many times its limit a transcript may take that waits for a processor.
  static let patience = 4

  /// When it began, in milliseconds.
  let start: Int
  /// How long its process had waited for a processor when that was first asked for.
  private var waitedBefore: Int?

  /// - Parameter start: when it began, in milliseconds.
  init(start: Int) {
    self.start = start
  }

  /// Whether the limit is over, all times in milliseconds. `waited` tells how long the process was ready to
  /// run and did not, since it is there; it is asked only after a tenth of the limit, when most are done.
  mutating func isOver(limit: Int, at now: Int, waited: () -> Int) -> Bool {
    let time = now - start
    guard time >= limit / 10 else { return false }
    guard let before = waitedBefore else {
      waitedBefore = waited()
      return time >= limit
    }
    return time >= limit && time >= limit + min(waited() - before, limit * (Self.patience - 1))
  }
}
