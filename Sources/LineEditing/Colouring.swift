extension LineEditor {
  /// The look of characters.
  public struct Style: Sendable, Hashable {
    /// The parameters between `ESC [` and `m`, such as `1;34`.
    public var parameters: String

    /// Creates a style from numbers with semicolons between them.
    public init(_ parameters: String) {
      self.parameters = parameters
    }
  }

  /// A styled part of a line.
  public struct Colouring: Sendable, Equatable {
    /// A range of Unicode scalars of the line.
    public var range: Range<Int>
    /// The look of the range.
    public var style: Style

    /// Creates a style for some scalars of a line.
    public init(_ range: Range<Int>, _ style: Style) {
      self.range = range
      self.style = style
    }
  }
}
