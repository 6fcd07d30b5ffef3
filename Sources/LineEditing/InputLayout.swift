/// Computes where libedit puts a prompt and a line on the screen, by the same rules.
///
/// The result is the distance of the caret from the first row of the prompt, so that the rows can be erased before other
/// text is printed in their place.
struct InputLayout {
  /// A position on the screen, relative to the start of the prompt.
  struct Position: Equatable {
    var row = 0
    var column = 0
  }

  let columns: Int
  /// The width of a character in columns; negative if it cannot be displayed.
  let width: (Unicode.Scalar) -> Int
  private(set) var position = Position()

  init(columns: Int, width: @escaping (Unicode.Scalar) -> Int) {
    self.columns = max(1, columns)
    self.width = width
  }

  /// Returns the positions of the caret and of the end of the line.
  static func measure(
    prompt: String,
    line: [Unicode.Scalar],
    caret: Int,
    columns: Int,
    width: @escaping (Unicode.Scalar) -> Int
  ) -> (caret: Position, end: Position) {
    let places = places(prompt: prompt, line: line, columns: columns, width: width)
    return (places[min(caret, line.count)], places[line.count])
  }

  /// Returns the position of each character of the line, and that of its end.
  static func places(
    prompt: String,
    line: [Unicode.Scalar],
    columns: Int,
    width: @escaping (Unicode.Scalar) -> Int
  ) -> [Position] {
    var layout = InputLayout(columns: columns, width: width)
    for scalar in prompt.unicodeScalars { layout.place(scalar) }
    var places: [Position] = []
    places.reserveCapacity(line.count + 1)
    for scalar in line {
      places.append(layout.start(of: scalar))
      layout.place(scalar)
    }
    return places + [layout.position]
  }

  /// Adds a character after the previous ones.
  mutating func place(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\n":
      position = Position(row: position.row + 1, column: 0)
    case "\t":
      repeat { advance(by: 1) } while position.column % 8 != 0
    default:
      let shown = width(scalar)
      if shown >= 0 {
        advance(by: shown)
      } else {
        for _ in 0..<Self.escapedWidth(of: scalar) { advance(by: 1) }
      }
    }
  }

  /// Returns where a character will begin: on the next row if both halves of it do not fit on this one.
  private func start(of scalar: Unicode.Scalar) -> Position {
    guard position.column + max(0, width(scalar)) > columns else { return position }
    return Position(row: position.row + 1, column: 0)
  }

  private mutating func advance(by shown: Int) {
    if position.column + shown > columns, position.column > 0 {
      position = Position(row: position.row + 1, column: 0)
    }
    position.column += shown
    if position.column >= columns { position = Position(row: position.row + 1, column: 0) }
  }

  /// Control characters are displayed as `^X`, other undisplayable ones as `\U+XXXX` or `\U+XXXXX`.
  private static func escapedWidth(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x20 || scalar.value == 0x7F { return 2 }
    return scalar.value < 0x10000 ? 7 : 8
  }
}
