extension LineEditor {
  /// How characters look.
  public struct Style: Sendable, Hashable {
    /// What stands between `ESC [` and `m`, such as `1;34`.
    public var parameters: String

    /// A style by its parameters, numbers with semicolons between.
    public init(_ parameters: String) {
      self.parameters = parameters
    }
  }

  /// A part of a line that has a look of its own.
  public struct Colouring: Sendable, Equatable {
    /// Counts the line's Unicode scalars.
    public var range: Range<Int>
    /// How it looks.
    public var style: Style

    /// A look for some scalars of a line.
    public init(_ range: Range<Int>, _ style: Style) {
      self.range = range
      self.style = style
    }
  }
}
