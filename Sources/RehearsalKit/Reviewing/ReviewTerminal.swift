import Harness
import LibC

/// A review of pending results in a terminal, with a key for each decision.
struct ReviewTerminal {
  private var review: Review
  private var picture: ReviewPicture
  private let colour: Bool
  private let complaints: PendingComplaints
  /// Failed decisions. They are printed again after the review.
  private var problems: [(path: String, problem: PendingProblem)] = []

  init(_ review: Review, colour: Bool, _ complaints: PendingComplaints) {
    self.review = review
    self.colour = colour
    self.complaints = complaints
    picture = Self.picture(colour)
  }

  static var isPossible: Bool {
    StandardStreams.isTerminal(0) && StandardStreams.isTerminal(1)
      && StandardStreams.isSmartTerminal
  }

  private static func picture(_ colour: Bool) -> ReviewPicture {
    ReviewPicture(
      columns: StandardStreams.columns,
      rows: StandardStreams.rows,
      colour: colour
    )
  }

  /// Runs until all is decided or the user quits.
  ///
  /// - Returns: the number of differences that are left.
  mutating func run() -> Int {
    guard let terminal = RawTerminal() else { return review.count(of: nil) }
    var signal: Int32?
    while !review.isOver, signal == nil {
      draw()
      switch terminal.read() {
      case .keys(let bytes):
        if !takeAll(bytes, terminal) { signal = 0 }
      case .signal(SIGWINCH): resize()
      case .signal(SIGTSTP): terminal.suspend()
      case .signal(let number): signal = number
      case .end: signal = 0
      }
    }
    terminal.restore()
    printSummary()
    if let signal, signal > 0 { RawTerminal.end(by: signal) }
    return review.count(of: nil)
  }

  private func draw() {
    let rows = picture.lines(review).map { $0 + "\u{1B}[K" }
    StandardStreams.write("\u{1B}[H" + rows.joined(separator: "\r\n") + "\u{1B}[J")
  }

  private mutating func resize() {
    var picture = Self.picture(colour)
    (picture.side, picture.foot) = (self.picture.side, self.picture.foot)
    self.picture = picture
  }

  /// - Returns: whether the review continues.
  private mutating func takeAll(_ bytes: [UInt8], _ terminal: RawTerminal) -> Bool {
    for key in ReviewKey.keys(in: bytes) where !review.isOver {
      if key == .letter("z", isControl: true) {
        terminal.suspend()
      } else if key == .letter("c", isControl: true) || key == .letter("d", isControl: true) {
        return false
      } else if !take(key) {
        return false
      }
    }
    return true
  }

  private mutating func take(_ key: ReviewKey) -> Bool {
    let foot = picture.foot
    picture.foot = .keys
    if case .allOf(let decision) = foot {
      if key == .letter("f") { step(.decideFile(decision)) }
      if key == .letter("a") { step(.decideAll(decision)) }
      return true
    }
    switch key {
    case .letter("a", _): step(.decide(.accept))
    case .letter("r", _): step(.decide(.reject))
    case .letter("s", _): step(.skip)
    case .letter("A", _): picture.foot = .allOf(.accept)
    case .letter("R", _): picture.foot = .allOf(.reject)
    case .letter("o", _): show(.old)
    case .letter("n", _): show(.new)
    case .letter("b", _): show(.both)
    case .letter("u", _): review.canUndo ? step(.undo) : say("there is nothing to undo")
    case .letter("j", _), .down: step(.next)
    case .letter("k", _), .up: step(.previous)
    case .letter(" ", _), .pageDown: scroll(by: picture.page(review))
    case .pageUp: scroll(by: -picture.page(review))
    case .letter("?", _): picture.foot = foot == .help ? .keys : .help
    case .letter("q", _): return false
    case .letter, .escape, .other: break
    }
    return true
  }

  private mutating func show(_ side: ReviewPicture.Side) {
    picture.side = side
    picture.scrolled = 0
  }

  private mutating func say(_ text: String) { picture.foot = .message(text) }

  /// Scrolls. The first row follows the last one.
  private mutating func scroll(by rows: Int) {
    let limit = picture.scrollLimit(review)
    let isAtEnd = picture.scrolled >= limit && rows > 0
    picture.scrolled = isAtEnd ? 0 : min(max(0, picture.scrolled + rows), limit)
  }

  private mutating func step(_ step: Review.Step) {
    picture.scrolled = 0
    for file in review.take(step) {
      do {
        try review.carryOut(file)
      } catch {
        let path = review.files[file].path
        problems.append((path, error))
        say("\(path): \(error.sentence); nothing was written")
      }
    }
  }

  private func printSummary() {
    let left = review.count(of: nil)
    StandardStreams.write(
      "\(review.count(of: .accept)) accepted, \(review.count(of: .reject)) rejected, \(left) left\n"
    )
    for line in review.acceptedFailures {
      StandardStreams.write(line + "\n")
    }
    for (path, problem) in problems { complaints.say(path, problem) }
  }
}
